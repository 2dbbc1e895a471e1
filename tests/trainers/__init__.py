"""Games in trainers, mostly of language models: each test needs the project it is named for.
`python -m bench.trainers` installs them in environments of their own, and runs each test there;
`test_environments.py` does so on CI. Where a project is not installed its test is left out.
"""
