"""What an exercise is: one object that notebook, grader and tests all read.

Adding an exercise touches the lesson's package in ``tutor/exercises`` and no other code.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from torch import Tensor

from tutor.checking.failures import Failure

Arguments = Mapping[str, Any]
"""The named arguments of one call; they are passed by position, in this order."""


class CallError(Exception):
    """The answer raised, or returned something that is not a value.

    Attributes:
        failure: what came of the call.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


@runtime_checkable
class Call(Protocol):
    """How a property calls the answer, wherever that runs."""

    def __call__(self, *arguments: Any) -> Any:
        """Give the canonical result; raises CallError where there is none."""

    def gradients(self, *arguments: Any) -> Any:
        """Give the gradient of the summed result for each float tensor among the arguments."""


@dataclass(frozen=True, eq=False)  # a mistake equals only itself, as an exercise does
class Mistake:
    """A wrong implementation that people write, and the hint that leads out of it.

    Attributes:
        id: short name, such as "attn-no-scale".
        function: the wrong implementation; takes the exercise's arguments.
        hint: kind, about what the learner can see, asks one question, does not give the cure.
        variants: other ways of making the same mistake, with other numbers.
        label: what it is called, where the id's words would not say it.
        reason: why it was added since the catalogue was closed: where it was made.
    """

    id: str
    function: Callable[..., Any]
    hint: str
    variants: Sequence[Callable[..., Any]] = ()
    label: str = ""
    reason: str = ""

    @property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """All ways of making it."""
        return (self.function, *self.variants)

    @property
    def title(self) -> str:
        """What it is called: the label, or the id in words without its prefix.

        Example:
            >>> Mistake("attn-no-scale", print, "").title
            'no scale'
            >>> Mistake("causal-missing", print, "", label="no causal mask").title
            'no causal mask'
        """
        return self.label or self.id.partition("-")[2].replace("-", " ")


@dataclass(frozen=True)
class Property:
    """Something that holds of every right answer, shown on the smallest case that can break it.

    Attributes:
        name: what holds, as a sentence.
        broken: calls the answer and says in one or two sentences what is broken, or returns None.
    """

    name: str
    broken: Callable[[Call], str | None]


@dataclass(frozen=True)
class Work:
    """What a statement asks to be done besides the result.

    Attributes:
        arguments: gives those of a call in which it shows.
        undone: told these arguments and the steps that a `Watch` saw, each a function's name and
            the tensor it made, says what was not done, or returns None.
    """

    arguments: Callable[[], Arguments]
    undone: Callable[[Arguments, Sequence[tuple[str, Tensor]]], str | None]


def _as_it_is(result: Any, _: Arguments) -> Any:
    return result


@dataclass(frozen=True, eq=False)  # an exercise equals only itself, and can be a cache's key
class Exercise:
    """One thing to write, predict or mend, with all that is needed to check it.

    Attributes:
        name: the function's name, or that of the prediction ("predict_…") or mending ("mend_…").
        points: what a right answer is worth.
        reference: the right implementation.
        cases: seed -> named cases of named arguments; together they expose every mistake.
            A prediction has exactly one case: the numbers this learner was given.
        returns: names of the results, such as ("output", "weights").
        mistakes: the wrong implementations that are recognised.
        properties: what holds of every right answer.
        hints: opened one by one by ``hint``; each says more than the one before, none is the cure.
        question: for predictions, turns the arguments into the text of the question.
        given: for mendings, the id of the mistake in the code that is handed out; all else is, by
            `dataclasses.replace`, as in the exercise that is mended.
        view: what is compared instead of the result itself, where several results are right.
        absolute: an absolute tolerance that replaces the usual relative one.
        shapes: the axes of each argument and result by name, as the statement gives them: "B T D",
            for a tuple of tensors a tuple of these, for a list one of these that holds for each of
            its tensors (in a tuple of its own, if they are tuples). A number that is a size has
            that size's letter.
        smallest: the least size an axis may have, where that is more than 1.
        promises: what else the statement promises of arguments, each told of the arguments of a
            call by position; the tests see to it that every promise is kept by some case.
        computed: the results' names in the order in which they come about.
        exact_dtype: whether the statement promises the result's dtype, and not its kind alone.
        work: what the statement asks to be done besides the result, and how that shows.
        library: torch's functions that do the whole work by themselves.
        remarks: each calls a right answer and says what it does badly outside what is judged, or
            returns None.
    """

    name: str
    points: int
    reference: Callable[..., Any]
    cases: Callable[[int], Mapping[str, Arguments]]
    returns: Sequence[str] = ()
    mistakes: Sequence[Mistake] = ()
    properties: Sequence[Property] = ()
    hints: Sequence[str] = ()
    question: Callable[..., str] | None = None
    given: str | None = None
    view: Callable[[Any, Arguments], Any] = field(default=_as_it_is)
    absolute: float | None = None
    shapes: Mapping[str, Any] = field(default_factory=dict)
    smallest: Mapping[str, int] = field(default_factory=dict)
    promises: Mapping[str, Callable[..., bool]] = field(default_factory=dict)
    computed: Sequence[str] = ()
    exact_dtype: bool = False
    work: Work | None = None
    library: Sequence[str] = ()
    remarks: Sequence[Callable[[Call], str | None]] = ()

    @property
    def kind(self) -> Literal["write", "predict", "mend"]:
        """What the learner is asked to do."""
        if self.question is not None:
            return "predict"
        return "mend" if self.given is not None else "write"
