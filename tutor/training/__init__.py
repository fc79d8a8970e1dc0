"""Data into weights: trainings, their measures and checkpoints. What is run is in ``models``.

Read in this order: ``config`` (the numbers of a training), ``train`` (its loop), ``experiment``
(a model, a task and a config put together), ``evaluate`` (how good the result is).
"""
