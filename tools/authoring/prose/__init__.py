"""What can be counted of the lessons' prose: `tools/notebooks.py prose` prints it.

A clean table does not make good prose; it finds what to look at. Only words that nobody outside
the course knows and questions that ask twice fail a test (tests/notebooks/test_prose.py).
"""
