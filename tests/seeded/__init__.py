"""The whole server under one seed: time, chance, disk, database, network and processes simulated.

What runs is the real application with its hub, rooms, stores, presences and thinkers; what it
stands on is ours, and fails when a plan says so. `python -m tests.seeded` runs as many worlds as
it is given time for; docs/simulation.md says how to read what it finds.
"""
