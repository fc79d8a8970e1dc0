"""What runs in the sandbox, beside the learner's code: it must hold nothing worth stealing.

``zygote`` starts one child for each submission, ``isolation`` locks the child in, ``serve`` answers
the judge there. Whatever these modules say may be forged by the learner's code; the judge believes
values only, and these it compares.
"""
