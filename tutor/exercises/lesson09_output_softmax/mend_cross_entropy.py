"""mend_cross_entropy: a loss that counts padding among the words."""

from dataclasses import replace

from tutor.exercises.lesson09_output_softmax.sequence_cross_entropy import sequence_cross_entropy

mend_cross_entropy = replace(
    sequence_cross_entropy,
    name="mend_cross_entropy",
    points=2,
    given="ce-divided-by-all",
    hints=[
        "Put more padding behind a sentence and watch the loss. Should it move?",
        "By hand, for a sentence of one real word and three of padding: what is added up, and by "
        "what is it divided?",
    ],
)
