"""predict_decoder_passes: how often the decoder runs while it writes."""

from collections.abc import Mapping

from tutor.checking.exercise import Arguments, Exercise, Mistake
from tutor.checking.seeds import Rng
from tutor.say import say


def _passes_case(seed: int) -> Mapping[str, Arguments]:
    rng = Rng(seed)
    return {"yours": {"source": rng.number(4, 6), "words": rng.number(7, 12)}}


predict_decoder_passes = Exercise(
    "predict_decoder_passes",
    points=1,
    reference=lambda source, words: words + 1,
    cases=_passes_case,
    question=lambda source, words: say(
        "A sentence of {source} tokens is translated, word by word without teacher "
        "forcing, into {words} words and eos. How often does the decoder run?",
        source=source,
        words=words,
    ),
    mistakes=[
        Mistake(
            "passes-without-eos",
            lambda source, words: words,
            "That is once a word. How does the sentence end?",
        ),
        Mistake(
            "passes-with-bos",
            lambda source, words: words + 2,
            "You counted bos as well. Does the decoder have to say it?",
        ),
        Mistake(
            "passes-one",
            lambda source, words: 1,
            "One pass is enough in training, where the words are known. Are they known here?",
        ),
        Mistake(
            "passes-source",
            lambda source, words: source,
            "That is the source's length. Which sentence is written word by word?",
        ),
        Mistake(
            "passes-both",
            lambda source, words: source + words + 1,
            "You counted the source as well. How often does the encoder run, and how often the "
            "decoder?",
        ),
        Mistake(
            "passes-product",
            lambda source, words: source * (words + 1),
            "You multiplied by the source's length. Does the decoder read the source word by word?",
        ),
        Mistake(
            "passes-doubled",
            lambda source, words: 2 * (words + 1),
            "You counted both attentions. What is one run of the decoder?",
        ),
    ],
    hints=["Write down what the decoder reads and says in its first run, its second, its last."],
)
