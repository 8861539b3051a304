"""The encoder in JAX: BERT, the mean of all tokens' states, length one."""

import math

import jax
import jax.numpy as jnp
import numpy as np
from weights import HEADS, WIDTH


def _norm(weights, states, name):
    mean = states.mean(-1, keepdims=True)
    variance = ((states - mean) ** 2).mean(-1, keepdims=True)
    return (states - mean) / jnp.sqrt(variance + 1e-12) * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _linear(weights, states, name):
    return states @ weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _layer(weights, states, bias, layer):
    batch, tokens, _ = states.shape
    prefix = f"encoder.layer.{layer}"

    def heads(name):
        return _linear(weights, states, f"{prefix}.attention.self.{name}").reshape(batch, tokens, HEADS, -1).transpose(0, 2, 1, 3)

    query, key, value = heads("query"), heads("key"), heads("value")
    attention = jax.nn.softmax(query @ key.transpose(0, 1, 3, 2) / math.sqrt(WIDTH // HEADS) + bias, -1) @ value
    attention = attention.transpose(0, 2, 1, 3).reshape(batch, tokens, WIDTH)
    states = _norm(weights, states + _linear(weights, attention, f"{prefix}.attention.output.dense"), f"{prefix}.attention.output.LayerNorm")
    inner = jax.nn.gelu(_linear(weights, states, f"{prefix}.intermediate.dense"), approximate=False)
    return _norm(weights, states + _linear(weights, inner, f"{prefix}.output.dense"), f"{prefix}.output.LayerNorm")


def states_of(weights, ids, mask, layers):
    """States after the embeddings and these layers; ids and mask are batch x tokens."""
    states = (weights["embeddings.word_embeddings.weight"][ids]
              + weights["embeddings.position_embeddings.weight"][: ids.shape[1]][None]
              + weights["embeddings.token_type_embeddings.weight"][0])
    states = _norm(weights, states, "embeddings.LayerNorm")
    return through(weights, states, mask, layers)


def through(weights, states, mask, layers):
    bias = ((1 - mask) * -1e9)[:, None, None, :]
    for layer in layers:
        states = _layer(weights, states, bias, layer)
    return states


def pool(states, mask):
    vectors = (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return vectors / jnp.linalg.norm(vectors, axis=1, keepdims=True)


def tokenise(tokenizer, texts, most):
    """Ids and mask, batch x tokens; the length is a multiple of 16, so that few shapes are compiled."""
    encoded = [one.ids[:most] for one in tokenizer.encode_batch(texts)]
    length = min(most, -(-max(map(len, encoded)) // 16) * 16)
    ids = np.zeros((len(texts), length), np.int32)
    mask = np.zeros((len(texts), length), np.float32)
    for row, one in enumerate(encoded):
        ids[row, : len(one)] = one
        mask[row, : len(one)] = 1
    return ids, mask
