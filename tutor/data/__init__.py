"""Real data for the lessons, small enough to live in the package: files, loaders, batches.

What is here, how large it is and under which licence is listed in ``README.md`` beside this file.
"""
