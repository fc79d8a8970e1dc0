"""Messages and values: what was written is read again, and what was not is refused."""

import io
import json
import random
import struct

import pytest
import torch
from safetensors import torch as safetensors

from tutor.grading.messages import (
    BLOB_CAP,
    DTYPE_NAMES,
    JSON_CAP,
    MOST_PARTS,
    Message,
    MessageError,
    decode,
    encode,
    pack,
    read_message,
)


def same(one, other):
    if isinstance(one, torch.Tensor):
        return isinstance(other, torch.Tensor) and one.dtype == other.dtype and one.equal(other)
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


VALUES = [
    1,
    -2.5,
    True,
    None,
    "text",
    [1, [2, (3.0, "x")]],
    {"x": torch.arange(6).view(2, 3), "n": 4, "lists": [[1, 2], [3]]},
    (torch.arange(6.0).view(2, 3).transpose(0, 1), torch.zeros(0, 4), torch.tensor(7)),
    [torch.ones(2, dtype=dtype) for dtype in sorted(DTYPE_NAMES, key=str)],
    float("inf"),
]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_round_trip(value):
    data, blob = encode(value)
    message = read_message(io.BytesIO(pack(Message(data, blob))).read)
    assert same(decode(message.data, message.blob), value)


def test_same_sees_differences():
    assert not same([1], (1,))
    assert not same(1, 1.0)
    assert not same(torch.ones(1), torch.ones(1, dtype=torch.float64))


def test_nan_and_shared_memory_survive():
    x = torch.randn(4)
    first, second, odd = decode(*encode((x, x[1:3], torch.tensor(float("nan")))))
    assert first.equal(x)
    assert second.equal(x[1:3])
    assert odd.isnan()


def test_written_value_is_a_copy():
    x = torch.zeros(2)
    data, blob = encode(x)
    x += 1
    assert decode(data, blob).equal(torch.zeros(2))


@pytest.mark.parametrize("odd", [torch.zeros(2).to(torch.complex64), object(), {1, 2}, print])
def test_what_is_no_value_is_not_written(odd):
    with pytest.raises(ValueError, match=r"^a |^torch.complex64$"):
        encode([odd])


@pytest.mark.parametrize(
    "lengths", [(JSON_CAP + 1, 0), (2, BLOB_CAP + 1), (2**32 - 1, 2**32 - 1)], ids=str
)
def test_too_long_frame_is_refused_before_it_is_read(lengths):
    stream = io.BytesIO(struct.pack("<II", *lengths) + b"{}")
    with pytest.raises(MessageError):
        read_message(stream.read)
    assert stream.tell() == 8


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"1" * 10_000, b"nul"])
def test_frame_that_is_no_json(text):
    with pytest.raises(MessageError):
        read_message(io.BytesIO(struct.pack("<II", len(text), 0) + text).read)


def deep(levels):
    data = {"plain": 1}
    for _ in range(levels):
        data = {"list": [data]}
    return data


@pytest.mark.parametrize(
    "data",
    [
        None,
        7,
        [],
        {},
        {"plain": []},
        {"plain": 1, "list": []},
        {"tensor": "9"},
        {"tensor": ["0"]},
        {"list": 3},
        {"list": [7]},
        {"set": [{"plain": 1}]},
        {"dict": [1]},
        {"dict": [["key"]]},
        {"dict": [[[], {"plain": 1}]]},
        deep(17),
        {"list": [{"plain": 1}] * (MOST_PARTS + 1)},
    ],
    ids=lambda data: str(data)[:40],
)
def test_what_is_no_value_is_not_read(data):
    with pytest.raises(MessageError):
        decode(data, b"")


def test_depth_within_bounds_is_read():
    assert decode(deep(3), b"") == [[[1]]]


def header(**entries):
    text = json.dumps(entries).encode()
    return struct.pack("<Q", len(text)) + text


BLOBS = {
    "empty header": struct.pack("<Q", 0),
    "header longer than the file": struct.pack("<Q", 2**63) + b"{}",
    "shape beyond memory": header(
        t={"dtype": "F32", "shape": [2**40, 2**40], "data_offsets": [0, 4]}
    )
    + b"0000",
    "offsets overlap": header(
        a={"dtype": "F32", "shape": [1], "data_offsets": [0, 4]},
        b={"dtype": "F32", "shape": [1], "data_offsets": [0, 4]},
    )
    + b"0000",
    "unknown dtype": header(t={"dtype": "X99", "shape": [1], "data_offsets": [0, 4]}) + b"0000",
    "unusual dtype": safetensors.save({"0": torch.zeros(2).to(torch.float8_e5m2)}),
    "complex": safetensors.save({"0": torch.zeros(2, dtype=torch.complex64)}),
    "noise": b"\x00" * 50,
}


@pytest.mark.parametrize("blob", BLOBS.values(), ids=BLOBS.keys())
def test_hostile_tensors_are_refused(blob):
    with pytest.raises(MessageError):
        decode({"tensor": "0"}, blob)


def test_damaged_frames_never_do_worse_than_be_refused():
    """Ten thousand messages with a few bytes changed: read, or refused, nothing else."""
    rng = random.Random(0)
    data, blob = encode({"x": [torch.randn(3), (1, "two")], "y": torch.arange(4)})
    whole = pack(Message(data, blob))
    refused = 0
    for _ in range(10_000):
        damaged = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            damaged[rng.randrange(8, len(damaged))] = rng.randrange(256)
        try:
            message = read_message(io.BytesIO(damaged).read)
            decode(message.data, message.blob)
        except MessageError:
            refused += 1
    assert 1000 < refused < 10_000
