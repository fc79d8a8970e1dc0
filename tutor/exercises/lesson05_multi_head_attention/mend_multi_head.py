"""mend_multi_head: heads that were not split as blocks of features."""

from dataclasses import replace

from tutor.exercises.lesson05_multi_head_attention.multi_head_attention import multi_head_attention

mend_multi_head = replace(
    multi_head_attention,
    name="mend_multi_head",
    points=2,
    given="mh-split-without-transpose",
    hints=[
        "Give it one sentence of two words, [1, 2, 3, 4] and [5, 6, 7, 8], and print what the "
        "first head holds.",
        "`view` never moves a number, it only counts anew. After which of the views does a word's "
        "block stand where another word's should?",
    ],
)
