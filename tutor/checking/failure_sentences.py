"""The sentences in which failures are told."""

from collections.abc import Mapping

from tutor.checking.failures import Failure
from tutor.say import say

_OF_CALLS: Mapping[str, str] = {
    "no answer": "There is no answer yet.",
    "no body": "The function has no body yet.",
    "not implemented": "The function still raises NotImplementedError.",
    "placeholder": "A `...` is still to be replaced in your line {number}: {line}",
    "error": "{error}: {text}",
    "exit": "It tried to end the whole program (exit).",
    "endless recursion": "RecursionError: it calls itself without end.",
    "stopped": "You stopped it while it ran.",
    "no end": "It did not come to an end.",
    "argument count": "It takes ({takes}), but it is called with {count} arguments: {asked}.",
    "takes nothing": "It takes no arguments, but it is called with {count}: {asked}.",
    "no function": "This is of type {type}, not a function. Run the cell that defines it.",
    "returns nothing": "Your function returns nothing (None): no return is reached.",
    "prints only": (
        "Your function returns nothing (None): it prints its result. Which word hands it on?"
    ),
    "None": "It returned None where a tensor or a number is asked for.",
    "subclass": (
        "It returned an object of type {type}, a subclass of Tensor; return a plain tensor."
    ),
    "sparse": "It returned a sparse or quantised tensor; return an ordinary (dense) one.",
    "meta": 'It returned a tensor on the device "meta", which holds no numbers.',
    "huge number": "It returned a whole number too large for 64 bits.",
    "generator": "It returned a generator; use return where you wrote yield.",
    "coroutine": "It returned a coroutine; write def, not async def.",
    "function": "It returned a function; return its result, called with its arguments.",
    "numpy": (
        "It returned NumPy's {type}; a torch tensor is asked for, and torch.as_tensor makes one "
        "of it."
    ),
    "type": (
        "It returned an object of type {type}; a tensor, a number, or a list, tuple or dict of "
        "these is asked for."
    ),
    "dtype": "It returned a tensor of the unusual type {type}.",
    "too long": "It returned more than 32 MB.",
    "unreadable": "The result cannot be read. {error}: {text}",
}

# Where a value was given by hand and no function called.
_OF_VALUES: Mapping[str, str] = {
    "None": "None stands where a number is asked for.",
    "subclass": (
        "The answer is an object of type {type}, a subclass of Tensor; give a plain tensor."
    ),
    "sparse": "The answer is a sparse or quantised tensor; give an ordinary (dense) one.",
    "meta": 'The answer is a tensor on the device "meta", which holds no numbers.',
    "huge number": "The answer is a whole number too large for 64 bits.",
    "generator": "The answer is a generator; give a list of its numbers.",
    "coroutine": "The answer is a coroutine; give a number or a list of numbers.",
    "function": "The answer is a function; give its result, called with its arguments.",
    "numpy": "The answer is NumPy's {type}; give a number, a list of numbers or a torch tensor.",
    "type": (
        "The answer is an object of type {type}; a number, or a list of numbers, is asked for."
    ),
    "dtype": "The answer is a tensor of the unusual type {type}.",
    "too long": "The answer is longer than 32 MB.",
    "unreadable": "The answer cannot be read. {error}: {text}",
}


def told(failure: Failure, by_hand: bool = False) -> str:
    """Say in one sentence why a call gave no value, or why a value given by hand is none.

    Example:
        >>> told(Failure("type", {"type": "str"}), by_hand=True)
        'The answer is an object of type str; a number, or a list of numbers, is asked for.'
    """
    sentences = {**_OF_CALLS, **_OF_VALUES} if by_hand else _OF_CALLS
    return say(sentences[failure.reason], **failure.gaps)
