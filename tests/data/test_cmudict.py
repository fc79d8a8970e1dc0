"""CMUdict: the entries as published, without stress, each word in one split."""

from tutor.data.cmudict import cmudict_without_words, load_cmudict

# The 39 phonemes of the dictionary's own list, cmudict.phones.
PHONEMES = {
    "AA",
    "AE",
    "AH",
    "AO",
    "AW",
    "AY",
    "B",
    "CH",
    "D",
    "DH",
    "EH",
    "ER",
    "EY",
    "F",
    "G",
    "HH",
    "IH",
    "IY",
    "JH",
    "K",
    "L",
    "M",
    "N",
    "NG",
    "OW",
    "OY",
    "P",
    "R",
    "S",
    "SH",
    "T",
    "TH",
    "UH",
    "UW",
    "V",
    "W",
    "Y",
    "Z",
    "ZH",
}


def test_letters_and_phonemes_are_the_known_ones():
    task = load_cmudict()
    assert set(task.target_words.words[4:]) == PHONEMES
    assert set(task.source_words.words[4:]) == set("abcdefghijklmnopqrstuvwxyz")


def test_known_words_are_said_as_published():
    task = load_cmudict()
    said = {pair.source: pair.target for pair in [*task.train, *task.dev, *task.test]}
    assert said[tuple("transformer")] == ("T", "R", "AE", "N", "S", "F", "AO", "R", "M", "ER")
    assert said[tuple("lead")] == ("L", "EH", "D")  # the first of two
    assert said[tuple("aalborg")] == ("AO", "L", "B", "AO", "R", "G")  # its line has a comment
    assert len(said) == 117_493


def test_no_word_is_in_two_splits():
    task = load_cmudict()
    train, dev, test = ({pair.source for pair in s} for s in (task.train, task.dev, task.test))
    assert not train & dev
    assert not train & test
    assert not dev & test
    assert len(dev) > 1000
    assert len(test) > 2000


def test_without_its_words_the_task_has_the_same_letters_and_phonemes():
    light, whole = cmudict_without_words(), load_cmudict()
    assert light.source_words.words == whole.source_words.words
    assert light.target_words.words == whole.target_words.words
    assert light.write(light.target_words.encode(("K", "AE", "T"))) == "K AE T"
