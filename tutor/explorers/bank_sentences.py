"""Sentences with *bank* that lesson 2 compares and lesson 4 looks into."""

LESSON_2 = (
    "He sat by the bank of the river",
    "He sat by the bank of the stream",
    "He ran to the bank for the money",
    "He ran to the bank for a loan",
)
