"""Models that lessons run beside the course's own, trained or pretrained, and a way to look inside.

``seq2seq`` is the recurrent translator, ``minilm`` and ``smollm`` are two real models made of the
course's layers, ``smollm_excerpt`` what lessons show of one without it, ``tracing`` keeps every
tensor on the way through any of them. Nothing here trains; ``tutor.training`` does.
"""
