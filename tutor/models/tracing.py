"""Watching a model think: every named tensor between its input and its output (lesson 8)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from inspect import signature
from types import TracebackType
from typing import Any

from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from tutor.multi_head import MultiHeadAttention
from tutor.say import say

WHOLE = "model"  # the name under which the model's own result is recorded


@dataclass(frozen=True)
class Record:
    """One tensor that passed by.

    Attributes:
        path: where it came from, as in model.named_modules(), with `.weights` for attention's
            weights, `[0]`, `[1]` for the parts of a tuple, `#2`, `#3` for later calls.
        kind: the class of the module that made it.
        tensor: the tensor itself, cut off from the gradient's graph.
    """

    path: str
    kind: str
    tensor: Tensor

    @property
    def shape(self) -> tuple[int, ...]:
        """The tensor's shape."""
        return tuple(self.tensor.shape)


class trace:
    """Record what every part of a model returns while the block runs.

    Attention takes its explicit path meanwhile, so that its weights are recorded too; outputs stay
    equal to rounding. Outside the block the model is untouched and pays nothing.

    Args:
        model: any module of the course, or of torch.

    Example:
        >>> import torch
        >>> attention = MultiHeadAttention(d_model=8, heads=2)
        >>> with trace(attention) as t:
        ...     _ = attention(x_q=torch.randn(1, 3, 8))
        >>> print(t.table())
        path           made by             shape
        W_q            Linear              (1, 3, 8)
        W_k            Linear              (1, 3, 8)
        W_v            Linear              (1, 3, 8)
        W_o            Linear              (1, 3, 8)
        model          MultiHeadAttention  (1, 3, 8)
        model.weights  MultiHeadAttention  (1, 2, 3, 3)
        >>> t["model.weights"].sum(-1).allclose(torch.ones(1, 2, 3))
        True

    Raises:
        KeyError: (on look-up) nothing was recorded under that path; names what comes close.
    """

    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.records: dict[str, Record] = {}
        self._hooks: list[RemovableHandle] = []

    def __enter__(self) -> "trace":
        for path, module in self.model.named_modules():
            if isinstance(module, MultiHeadAttention):
                ask = module.register_forward_pre_hook(_ask_for_weights, with_kwargs=True)
                self._hooks.append(ask)
            self._hooks.append(module.register_forward_hook(self._listener(path or WHOLE)))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()

    def _listener(self, path: str) -> Any:
        """Make the function that torch calls with every result of the module at this path."""

        def listen(module: nn.Module, inputs: tuple[Any, ...], result: Any) -> None:
            named = isinstance(module, MultiHeadAttention)
            parts = zip(("", ".weights"), result) if named else _tensors(result)
            for suffix, tensor in parts:
                self._record(path + suffix, type(module).__name__, tensor)

        return listen

    def _record(self, path: str, kind: str, tensor: Tensor) -> None:
        """Store a tensor under its path, or under path#2, path#3, … if the module ran before."""
        name, call = path, 1
        while name in self.records:
            call += 1
            name = f"{path}#{call}"
        self.records[name] = Record(name, kind, tensor.detach())

    def __getitem__(self, path: str) -> Tensor:
        """The tensor recorded under a path."""
        if path not in self.records:
            last = path.split(".")[-1]
            close = [name for name in self.records if last in name] or list(self.records)
            raise KeyError(
                say(
                    "nothing was recorded as {path!r}; recorded are {close}",
                    path=path,
                    close=close[:8],
                )
            )
        return self.records[path].tensor

    def __iter__(self) -> Iterator[Record]:
        """All records, in the order in which the tensors were made."""
        return iter(self.records.values())

    def __len__(self) -> int:
        return len(self.records)

    def table(self, under: str = "") -> str:
        """List path, maker and shape of all tensors, or of the module at path `under` alone."""
        rows = [(r.path, r.kind, str(r.shape)) for r in self if _lies_under(r.path, under)]
        rows.insert(0, (say("path"), say("made by"), say("shape")))
        widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
        return "\n".join(f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c}" for a, b, c in rows)


def _ask_for_weights(
    module: nn.Module, args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Change a call of attention so that it computes and returns its weights."""
    call = signature(module.forward).bind(*args, **named)
    call.arguments["need_weights"] = True
    return call.args, call.kwargs


def _lies_under(path: str, under: str) -> bool:
    """Whether a path is that of a module or of something inside it; all lie under ""."""
    return not under or path == under or path.startswith((f"{under}.", f"{under}#", f"{under}["))


def _tensors(result: Any, suffix: str = "") -> Iterator[tuple[str, Tensor]]:
    """Find the tensors in whatever a module returned, and what to append to its path for each."""
    if isinstance(result, Tensor):
        yield suffix, result
    elif isinstance(result, Mapping):
        for key, part in result.items():
            yield from _tensors(part, f"{suffix}.{key}")
    elif isinstance(result, (tuple, list)):
        for number, part in enumerate(result):
            yield from _tensors(part, f"{suffix}[{number}]")
