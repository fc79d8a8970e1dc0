"""The checker: runs an answer on seeded cases and says which mistake was made.

Read in this order: ``exercise`` (what an exercise is), ``calls`` (running an answer),
``values`` (when two results are equal), ``examine`` (the five layers of feedback).
"""
