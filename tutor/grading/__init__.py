"""Grading a class: learners' code runs in a sandbox that can only return values to a judge.

Read in this order: ``messages`` (what goes between the two), ``inside`` (what runs in the sandbox),
``sandbox`` and ``session`` (the judge's end), ``judge`` (one notebook), ``run`` (a class).
"""
