"""Finding what a class handed in, and whose it is.

Read in this order: ``tree`` (files, also in archives), ``owners`` and ``platforms`` (whose a name
says it is), ``roster`` and ``people`` (who that is), ``submissions`` (what to grade).
"""
