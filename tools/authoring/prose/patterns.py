"""What the counts of prose look for: the course's own words, and habits of sentences."""

import re

# What nobody outside the course says, and what the field says.
DIALECT = {
    r"first weights": "initial weights, initialisation",
    r"trainings|(?:a|every|each|no|other) training(?! (?:step|example|data|loss|error|set|run|"
    r"phrase|text|sentence|pair|loop))": "training run",
    r"shelf": "cache",
    r"foretold|foretells?|forecasts?": "predicted, prediction",
    r"in the heat": "at a high temperature",
    r"commonest": "most common",
    r"likelier": "more likely",
    r"(?:the )?likeliest": "most likely",
    r"fresh (?:weights|layers?|queries|scores|stacks?|table|rows|logits)": "untrained",
    r"read-out": "linear probe",
    r"start(?:s|ed)? (?:nearly )?hard|hard start": "saturated",
    r"something else than": "something other than",
    r"millions(?= are)": "million",
    r"share right|right ones": "accuracy, correct",
    r"alike factors": "similar factors",
    r"at the least": "at least",
    r"(?:numbers?|nats|bytes?|piece|rows?|steps?|mean|weights) an? "
    r"(?:word|token|row|piece|sound|pair|head|number)": "per",
}

# What is plain English too: printed, never failed.
ALSO_ENGLISH = {
    r"pieces?": "token",
    r"(?<!the )beginning|beginnings": "prompt (given); hypothesis (in a beam)",
    r"the store|a store": "cache",
    r"heated?|heat": "temperature",
    r"in use": "at inference",
    r"stands?|stood": "is, appears, sits",
}

HABITS = {
    "too": re.compile(r",? too[.;:,)]"),
    "for": re.compile(r"[,;:] for (?:the|its|it|they|each|all|no|this|a)\b"),
    "who": re.compile(
        r"(?:^|\. )Who(?:ever)? (?!is |are |gave |waits |means |sees |shares |drowns )[a-z]+"
    ),
}
BOUNDS = re.compile(  # how far a result holds: at home in the folded line
    r"\b(?:at least|at most|more than|less than|fewer than|by a factor|seeds?|on average|"
    r"within one per cent|we tried|(?:Xavier|He|PyTorch)'s|"
    r"(?:of|on) (?:six|eight|ten|twelve) (?:beginnings|prompts|sentences))\b"
    r"|tools/results|\(Stored"
)
CONNECTIVE = re.compile(
    r"\b(?:because|since|so|therefore|but|yet|however|although|though|while|when|if|unless|until|"
    r"that is why|which means|instead|otherwise|whereas)\b",
    re.IGNORECASE,
)
_WORDS_FOR_NUMBERS = (
    r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|sixteen|eighteen|twenty|"
    r"thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|third|quarter|"
    r"fifths?|eighth|tenths?|fiftieth|thousandth"
)
NUMERAL = re.compile(
    rf"(?<![\w.])[-−]?\d[\d,.]*|(?<!\w)\.\d+|\b(?:{_WORDS_FOR_NUMBERS})\b", re.IGNORECASE
)
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
BOLD = re.compile(r"\*\*(?=\S)([^*\n]*[^*\s.:?!])\*\*")  # a term; a heading ends with a stop
CONTROL = re.compile(  # what stands before the name of a control
    r"(?:set|choose|move|play|tick|press|switch|show|change|with|and|to)\s+$", re.IGNORECASE
)
