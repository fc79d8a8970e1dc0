"""What goes between judge and sandbox: messages of JSON and tensors, with caps, never pickle.

A message is two lengths (little-endian, 32 bits), that much JSON, and that much safetensors. Both
ends use this module, and the judge's end must stand whatever bytes arrive.
"""

import json
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from safetensors import torch as safetensors
from torch import Tensor

STATUS = b"?"  # asks the zygote what the submission's process is doing
JSON_CAP, BLOB_CAP = 1 << 20, 32 << 20  # what the judge accepts
DEEPEST, MOST_PARTS = 16, 100_000  # of one value
_LENGTHS = struct.Struct("<II")

# The dtypes that answers have, as safetensors names them; others are told to the learner as what
# they are.
DTYPE_NAMES = {
    torch.bool: "BOOL",
    torch.uint8: "U8",
    torch.int8: "I8",
    torch.int16: "I16",
    torch.int32: "I32",
    torch.int64: "I64",
    torch.float16: "F16",
    torch.bfloat16: "BF16",
    torch.float32: "F32",
    torch.float64: "F64",
}


class MessageError(Exception):
    """What arrived is no message, or no value."""


class Message(NamedTuple):
    """One message: plain data and bytes."""

    data: Any
    blob: bytes = b""


def pack(message: Message) -> bytes:
    """Write a message as bytes."""
    text = json.dumps(message.data).encode()
    return _LENGTHS.pack(len(text), len(message.blob)) + text + message.blob


def read_message(
    read: Callable[[int], bytes], json_cap: int = JSON_CAP, blob_cap: int = BLOB_CAP
) -> Message:
    """Read one message.

    Args:
        read: gives exactly as many bytes as asked.
        json_cap: longer JSON is refused before it is read.
        blob_cap: so are longer tensors.

    Raises:
        MessageError: it is too long, or is not JSON.

    Example:
        >>> import io
        >>> read_message(io.BytesIO(pack(Message({"points": 3}))).read)
        Message(data={'points': 3}, blob=b'')
    """
    text_length, blob_length = _LENGTHS.unpack(read(_LENGTHS.size))
    if text_length > json_cap or blob_length > blob_cap:
        raise MessageError(f"a message of {text_length} + {blob_length} bytes")
    text, blob = read(text_length), read(blob_length) if blob_length else b""
    try:
        return Message(json.loads(text), blob)
    except (ValueError, RecursionError) as broken:
        raise MessageError(f"a message that is not JSON: {type(broken).__name__}") from None


def encode(value: Any) -> tuple[Any, bytes]:
    """Write a value as plain data and safetensors.

    Raises:
        ValueError: it holds something that is neither tensor, number, text, list, tuple nor dict,
            or a tensor of a dtype that answers do not have, which is all that its message says.
    """
    writer = MessageWriter()
    data = writer.data(value)
    return data, writer.blob()


class MessageWriter:
    """Writes values as plain data, and the tensors of all of them as one safetensors.

    Tensors with the same bits are written once: calls mostly leave their arguments as they were.
    """

    def __init__(self) -> None:
        self._head: dict[str, Any] = {}
        self._pieces: dict[tuple[torch.dtype, torch.Size, bytes], str] = {}
        self.size = 0  # bytes of tensors so far

    def data(self, value: Any) -> Any:
        """Give the plain data of a value; raises as ``encode`` does."""
        if isinstance(value, Tensor):
            return {"tensor": self._keep(value)}
        if isinstance(value, dict):
            return {"dict": [[key, self.data(part)] for key, part in value.items()]}
        if isinstance(value, list | tuple):
            kind = "list" if isinstance(value, list) else "tuple"
            return {kind: [self.data(part) for part in value]}
        if value is None or isinstance(value, bool | int | float | str):
            return {"plain": value}
        raise ValueError(f"a {type(value).__name__}")

    def _keep(self, tensor: Tensor) -> str:
        if tensor.dtype not in DTYPE_NAMES:
            raise ValueError(str(tensor.dtype))
        piece = _bytes(tensor)
        written = tensor.dtype, tensor.shape, piece
        if written in self._pieces:
            return self._pieces[written]
        name = self._pieces[written] = str(len(self._head))
        self._head[name] = {
            "dtype": DTYPE_NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [self.size, self.size + len(piece)],
        }
        self.size += len(piece)
        return name

    def blob(self) -> bytes:
        """Give all tensors in safetensors' format; its own writer takes three times as long."""
        if not self._head:
            return b""
        head = json.dumps(self._head).encode()
        head += b" " * (-len(head) % 8)
        pieces = (piece for _, _, piece in self._pieces)
        return b"".join([struct.pack("<Q", len(head)), head, *pieces])


def _bytes(tensor: Tensor) -> bytes:
    values = tensor.detach()
    if values.dtype is torch.bfloat16 or values.is_neg():  # NumPy has no such numbers
        values = values.contiguous().view(-1).view(torch.uint8)
    return values.numpy().tobytes()


def decode(data: Any, blob: bytes) -> Any:
    """Read a value that ``encode`` wrote.

    Raises:
        MessageError: this is no such value, or one that is nested too deep or has too many parts.

    Example:
        >>> decode(*encode([1, (torch.tensor([2.0]),)]))
        [1, (tensor([2.]),)]
    """
    try:
        tensors = safetensors.load(blob) if blob else {}
    except Exception as broken:  # safetensors has several kinds of error, and KeyError for a dtype
        raise MessageError(f"a blob that is not safetensors: {type(broken).__name__}") from None
    for tensor in tensors.values():
        if tensor.dtype not in DTYPE_NAMES:
            raise MessageError(f"a tensor of type {tensor.dtype}")
    return _MessageReader(tensors).value(data)


class _MessageReader:
    """Reads values, counting what they hold."""

    def __init__(self, tensors: dict[str, Tensor]) -> None:
        self._tensors = tensors
        self._left = MOST_PARTS

    def value(self, data: Any, depth: int = 0) -> Any:
        self._left -= 1
        if self._left < 0 or depth > DEEPEST:
            raise MessageError("a value of too many parts")
        if not isinstance(data, dict) or len(data) != 1:
            raise MessageError("no value")
        ((kind, content),) = data.items()
        if kind == "tensor" and isinstance(content, str) and content in self._tensors:
            return self._tensors[content]
        if kind == "plain" and (content is None or isinstance(content, bool | int | float | str)):
            return content
        if not isinstance(content, list):
            raise MessageError("no value")
        if kind == "dict":
            return dict(self._item(item, depth) for item in content)
        parts = [self.value(part, depth + 1) for part in content]
        if kind not in ("list", "tuple"):
            raise MessageError("no value")
        return parts if kind == "list" else tuple(parts)

    def _item(self, item: Any, depth: int) -> tuple[Any, Any]:
        if not isinstance(item, list) or len(item) != 2:
            raise MessageError("no value")
        key, content = item
        if not isinstance(key, str | int | float | bool):
            raise MessageError("no value")
        return key, self.value(content, depth + 1)
