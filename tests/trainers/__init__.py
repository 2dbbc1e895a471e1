"""Games in trainers, mostly of language models: each test needs the project it is named
for, and is left out where that is not installed. `python -m bench.trainers` installs each in an
environment of its own, and runs its test there.
"""
