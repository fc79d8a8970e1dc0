"""Digits to be set low, for the states of recurrent nets: h₀, h₁, h₂."""

SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
