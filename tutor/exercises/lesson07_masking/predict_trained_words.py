"""predict_trained_words: how many predictions a batch trains."""

from collections.abc import Mapping

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _training_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    lengths = (rng.permutation(5) + 3)[:3]
    return {"yours": {"words": lengths}}


predict_trained_words = Exercise(
    "predict_trained_words",
    points=1,
    reference=lambda words: int((words + 1).sum()),
    cases=_training_case,
    question=lambda words: say(
        "Three target sentences of {words} words are padded to one batch, each with bos"
        " before and eos after its words. How many predictions count in the loss of one"
        " pass?",
        words=", ".join(map(str, words.tolist())),
    ),
    mistakes=[
        Mistake(
            "trained-without-eos",
            lambda words: int(words.sum()),
            "You counted the words. What must the decoder say after the last one?",
        ),
        Mistake(
            "trained-with-bos",
            lambda words: int((words + 2).sum()),
            "You counted every token. Which of them does the decoder never have to say?",
        ),
        Mistake(
            "trained-with-padding",
            lambda words: int(len(words) * (words.max() + 1)),
            "You counted every place of the batch. Is padding a word to predict?",
        ),
        Mistake(
            "trained-all-places",
            lambda words: int(len(words) * (words.max() + 2)),
            "You counted every place of the batch before the shift. Which places have no label "
            "that counts?",
        ),
        Mistake(
            "trained-sentences",
            lambda words: len(words),
            "That is one for each sentence. How many words does a masked decoder predict in one "
            "pass over a sentence?",
        ),
        Mistake(
            "trained-longest",
            lambda words: int(words.max() + 1),
            "That is the longest sentence alone. What about the others in the batch?",
        ),
    ],
    hints=["For one sentence of two words, write down what is read and what must be said."],
)
