"""mend_causal_attention: what is hidden was multiplied by 0 in place of that."""

from dataclasses import replace

from tutor.exercises.lesson07_masking.causal_self_attention import causal_self_attention

mend_causal_attention = replace(
    causal_self_attention,
    name="mend_causal_attention",
    points=2,
    given="mask-multiply-zero",
    hints=[
        "Print the first row of the weights: how much goes to words the first query must not see?",
        "What does softmax make of a score of 0?",
    ],
)
