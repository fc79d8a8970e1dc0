"""The prompts whose stored continuations several pictures of lesson 9 show."""

UNSURE, ONCE = "I don't know what to", "Once upon a time, there was a"
