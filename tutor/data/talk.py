"""Ninety-six sentences, *I love me* to *they hear them*, in English and Korean (lesson 8).

Korean puts the verb last, and an ending says who does something and to whom it is done.
"""

from collections.abc import Collection
from itertools import product

from tutor.data.pairs import Pair, Task, make_task
from tutor.say import say

SUBJECTS = {"I": "나는", "you": "너는", "we": "우리는", "they": "그들은"}
VERBS = {"love": "사랑한다", "see": "본다", "know": "안다", "hear": "듣는다"}
OBJECTS = {
    "me": "나를",
    "you": "너를",
    "him": "그를",
    "her": "그녀를",
    "us": "우리를",
    "them": "그들을",
}
LEFT_OUT = "I love her"  # the sentence that lesson 8's models are not shown
MEANINGS = {korean: word for part in (SUBJECTS, VERBS, OBJECTS) for word, korean in part.items()}
"""What each Korean word means."""


def talk_pairs() -> list[Pair]:
    """List the 96 sentences with their translations.

    Example:
        >>> pairs = talk_pairs()
        >>> len(pairs), pairs[3].source, pairs[3].target
        (96, ('I', 'love', 'her'), ('나는', '그녀를', '사랑한다'))
    """
    return [
        Pair("talk", (who, does, whom), (SUBJECTS[who], OBJECTS[whom], VERBS[does]))
        for who, does, whom in product(SUBJECTS, VERBS, OBJECTS)
    ]


def talk_task(left_out: Collection[str] = ()) -> Task:
    """Make the task of learning all of the 96 sentences but some.

    Args:
        left_out: English sentences, such as "I love her", which are not learned.

    Example:
        >>> task = talk_task(left_out=["I love her"])
        >>> len(task.train), [pair.target for pair in task.test]
        (95, [('나는', '그녀를', '사랑한다')])

    Raises:
        ValueError: one of them is not among the 96.
    """
    pairs = {" ".join(pair.source): pair for pair in talk_pairs()}
    if unknown := sorted(set(left_out) - set(pairs)):
        raise ValueError(
            say(
                "left_out has {unknown}, which are not among the {pairs} sentences",
                unknown=unknown,
                pairs=len(pairs),
            )
        )
    train = [pair for sentence, pair in pairs.items() if sentence not in left_out]
    test = [pair for sentence, pair in pairs.items() if sentence in left_out]
    return make_task("talk", {"train": train, "dev": [], "test": test}, str.split, " ".join)
