"""From a model to a sentence, one word at a time: greedy search, sampling, key/value cache.

Every word chosen is read by the model before it chooses the next (*auto-regressive*). `beam` looks
further than one word.
"""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tutor.attention import scaled_dot_product_attention
from tutor.embedding import Vocabulary
from tutor.language_model import EncoderDecoder, StepFunction, TrigramStep, read_source
from tutor.mask import causal_keep
from tutor.output import (
    min_p_probabilities,
    temperature_softmax,
    top_k_probabilities,
    top_p_probabilities,
)
from tutor.say import say
from tutor.shapes import fitting

Choice = Callable[[Float[Tensor, "rows vocabulary"]], Int[Tensor, " rows"]]
"""A way to pick one next word in each row of log-probabilities."""


def most_likely(log_probs: Float[Tensor, "rows vocabulary"]) -> Int[Tensor, " rows"]:
    """Choose the most likely word of each row: greedy search.

    Example:
        >>> most_likely(torch.tensor([[-2.0, -0.1], [-0.5, -3.0]]))
        tensor([1, 0])
    """
    return log_probs.argmax(-1)


def sampler(
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Choice:
    """Make a choice that draws each word by its probability, after temperature and cuts.

    Args:
        temperature: below 1 sharpens, above 1 flattens.
        top_k: only so many of the most likely words can be drawn; all if None.
        top_p: only the most likely words that reach this mass can be drawn; all if None.
        min_p: only words at least so likely as this share of the best one can be; all if None.
        generator: where chance comes from; torch's own if None.

    Example:
        >>> choose = sampler(top_k=1)  # only the best word is left to draw
        >>> choose(torch.tensor([[-2.0, -0.1], [-0.5, -3.0]]))
        tensor([1, 0])

    Raises:
        ValueError: when used, if temperature, top_k, top_p or min_p are out of their range.
    """

    def sample(log_probs: Float[Tensor, "rows vocabulary"]) -> Int[Tensor, " rows"]:
        probabilities = temperature_softmax(log_probs, temperature)
        if top_k is not None:
            probabilities = top_k_probabilities(log_probs / temperature, top_k)
        if top_p is not None:
            probabilities = top_p_probabilities(probabilities, top_p)
        if min_p is not None:
            probabilities = min_p_probabilities(probabilities, min_p)
        return torch.multinomial(probabilities, 1, generator=generator).squeeze(-1)  # (rows,)

    return sample


def generate(
    step: StepFunction,
    prefixes: Int[Tensor, "sentences length"],
    choose: Choice,
    max_length: int,
    eos_id: int,
) -> list[list[int]]:
    """Extend every prefix by one chosen word at a time, until its eos or max_length words.

    Finished sentences leave the batch, so the others do not wait for them.

    Args:
        step: knows how likely each next word is; one row a sentence.
        prefixes: where each sentence starts: bos alone, or a prompt.
        choose: picks the next word, `most_likely` or a `sampler`.
        max_length: the most words to add.
        eos_id: the word that ends a sentence.

    Returns:
        The added ids of each sentence, with its eos if it came.

    Example:
        >>> table = torch.full((3, 3, 3), -9.0)
        >>> table[0, 0, 2] = table[0, 2, 2] = table[2, 2, 1] = -0.1
        >>> generate(TrigramStep(table), torch.tensor([[0]]), most_likely, max_length=5, eos_id=1)
        [[2, 2, 1]]

    Raises:
        ValueError: if max_length is below 1.
    """
    if max_length < 1:
        raise ValueError(
            say("max_length must be at least 1, got {max_length}", max_length=max_length)
        )
    sentences: list[list[int]] = [[] for _ in prefixes]
    unfinished = list(range(len(prefixes)))  # which sentence each row belongs to
    for _ in range(max_length):
        chosen = choose(step(prefixes))  # (rows,)
        for sentence, word in zip(unfinished, words := chosen.tolist()):
            sentences[sentence].append(word)
        prefixes = torch.cat([prefixes, chosen.unsqueeze(-1)], dim=-1)  # one word longer
        going_on = [row for row, word in enumerate(words) if word != eos_id]
        if not going_on:
            break
        if len(going_on) < len(words):
            unfinished = [unfinished[row] for row in going_on]
            rows = torch.tensor(going_on, device=prefixes.device)  # (rows that go on,)
            prefixes = prefixes[rows]
            step.reorder(rows)
    return sentences


@torch.no_grad()
def translate(
    model: EncoderDecoder,
    source: Int[Tensor, "batch source"],
    vocabulary: Vocabulary,
    max_length: int,
    choose: Choice = most_likely,
    use_cache: bool = True,
) -> list[list[int]]:
    """Translate a batch one word at a time: greedily, or by another choice such as a `sampler`.

    Args:
        model: in evaluation mode.
        source: ids of the sentences, padded.
        vocabulary: of the target; its bos begins a sentence, its eos ends it, its pad fills up.
        max_length: the most words of a target, eos counted, bos not.
        choose: picks the next word of each sentence.
        use_cache: see `ModelStep`.

    Returns:
        The target ids of each sentence, without bos, with eos if it came.

    Example:
        >>> from tutor.transformer import Transformer, TransformerConfig
        >>> model = Transformer(TransformerConfig.tiny(vocabulary=9)).eval()
        >>> words = Vocabulary(["a", "b", "c", "d", "e"])
        >>> len(translate(model, torch.tensor([[4, 5, 3], [6, 3, 0]]), words, max_length=4))
        2

    Raises:
        ValueError: if the model is in training mode, or max_length below 1.
    """
    step = read_source(model, source, vocabulary.pad_id, use_cache)
    start = source.new_full((len(source), 1), vocabulary.bos_id)  # (B, 1): bos alone
    return generate(step, start, choose, max_length, vocabulary.eos_id)


def greedy_decode(log_probs: Float[Tensor, "before last vocabulary"], max_length: int) -> list[int]:
    """Always take the most likely next word of a toy language model.

    Args:
        log_probs: of each next word, given the last two; bos is 0, eos is 1.
        max_length: the most words, bos not counted.

    Returns:
        The ids without bos, with eos if it came.

    Example:
        >>> table = torch.full((3, 3, 3), -9.0)
        >>> table[0, 0, 2] = table[0, 2, 2] = table[2, 2, 1] = -0.1
        >>> greedy_decode(table, max_length=5)
        [2, 2, 1]

    Raises:
        ValueError: if log_probs is not (V, V, V) or max_length below 1.
    """
    step = TrigramStep(log_probs)
    return generate(step, step.start(), most_likely, max_length, step.eos_id)[0]


@fitting
def attention_step(
    x_new: Float[Tensor, " d_model"],
    keys: Float[Tensor, "stored d_k"],
    values: Float[Tensor, "stored d_v"],
    W: tuple[
        Float[Tensor, "d_model d_k"], Float[Tensor, "d_model d_k"], Float[Tensor, "d_model d_v"]
    ],
) -> tuple[Float[Tensor, " d_v"], Float[Tensor, "words d_k"], Float[Tensor, "words d_v"]]:
    """Let one new word look at those before it, whose keys and values are stored, and at itself.

    Nothing is computed for the words before; as none of them looks ahead, what is stored of them
    never changes.

    Args:
        x_new: the new word's vector.
        keys: of the words before, oldest first; no rows for the first word.
        values: of the same words.
        W: W_q, W_k, W_v, used as x W. There is no output projection.

    Returns:
        The word's output, and keys and values to be stored, its own last.

    Example:
        >>> x, none = torch.tensor([1.0, 0.0]), torch.empty(0, 2)
        >>> output, keys, values = attention_step(x, none, none, (torch.eye(2),) * 3)
        >>> output, keys, values
        (tensor([1., 0.]), tensor([[1., 0.]]), tensor([[1., 0.]]))
    """
    W_q, W_k, W_v = W
    word = x_new.unsqueeze(0)  # (1, d_model)
    keys = torch.cat([keys, word @ W_k])  # (words, d_k)
    values = torch.cat([values, word @ W_v])  # (words, d_v)
    output, _ = scaled_dot_product_attention(word @ W_q, keys, values)  # (1, d_v)
    return output[0], keys, values


@fitting
def cached_attention(
    x: Float[Tensor, "length d_model"],
    encoding: Float[Tensor, "positions d_model"],
    W: tuple[
        Float[Tensor, "d_model d_k"], Float[Tensor, "d_model d_k"], Float[Tensor, "d_model d_v"]
    ],
    prompt_length: int,
) -> Float[Tensor, "length d_v"]:
    """Causal self-attention as decoding does it: the prompt at once, then word by word.

    Keys and values of the words read are kept, so a new word costs one row of scores, not a whole
    table; and since no word looks ahead, nothing kept is ever out of date.

    Args:
        x: the words' vectors; encoding[position] is added to each, nothing is scaled.
        encoding: one vector per position, at least as many as words.
        W: W_q, W_k, W_v, used as x W. There is no output projection.
        prompt_length: how many words are read in the first pass.

    Returns:
        The outputs at all positions, equal to those of one pass over the whole sentence.

    Example:
        >>> x, none = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), torch.zeros(3, 2)
        >>> cached_attention(x, none, (0 * x[:2], x[:2], x[:2]), prompt_length=1)  # running means
        tensor([[1.0000, 0.0000],
                [0.5000, 0.5000],
                [0.6667, 0.6667]])

    Raises:
        ValueError: if the prompt is empty or longer than x, or the encoding shorter.
    """
    if not 1 <= prompt_length <= len(x) <= len(encoding):
        raise ValueError(
            say(
                "needed: 1 <= prompt_length <= words of x <= rows of encoding, got "
                "{prompt_length}, {words}, {rows}",
                prompt_length=prompt_length,
                words=len(x),
                rows=len(encoding),
            )
        )
    W_q, W_k, W_v = W
    placed = x + encoding[: len(x)]
    prompt = placed[:prompt_length]
    keys, values = prompt @ W_k, prompt @ W_v  # (prompt, d_k), (prompt, d_v)
    keep = causal_keep(prompt_length, device=x.device)  # (prompt, prompt)
    outputs = [scaled_dot_product_attention(prompt @ W_q, keys, values, keep)[0]]
    for word in placed[prompt_length:]:  # (d_model,)
        output, keys, values = attention_step(word, keys, values, W)
        outputs.append(output.unsqueeze(0))  # (1, d_v)
    return torch.cat(outputs)  # (length, d_v)
