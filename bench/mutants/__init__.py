"""`python -m bench.mutants`: mistakes in the server and the referee that no test notices.

Every module that docs/security.md makes a promise about is changed in one small place at a time:
a check is dropped, a limit is off by one, a call is left out. Then its tests are run, in a copy.
"""
