"""A learner at work: the checks of a notebook, what they have solved, their own copies."""
