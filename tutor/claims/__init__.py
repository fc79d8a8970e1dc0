"""What the lessons say they measured: each sentence beside the runs it rests on, and where it ends.

A lesson shows the runs behind one of its sentences by ``measured("lstm-reach")``.
"""

from tutor.claims.register import measured

__all__ = ["measured"]
