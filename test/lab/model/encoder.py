"""The encoder in TensorFlow: BERT, the mean of all tokens' states, length one.

Products of matrices are in bfloat16, which oneDNN computes about five times as fast where the processor has AMX. All else is
float32 and compiled by XLA, which needs few different shapes.
"""

import math
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf
from weights import HEADS, LAYERS, WIDTH

LENGTHS = (24, 48, 64, 96, 128)
HALF, WHOLE = tf.bfloat16, tf.float32


def fused(work):
    return tf.function(work, jit_compile=True)


@fused
def norm(states, scale, shift):
    mean = tf.reduce_mean(states, -1, keepdims=True)
    centred = states - mean
    variance = tf.reduce_mean(centred * centred, -1, keepdims=True)
    return tf.cast(centred * tf.math.rsqrt(variance + 1e-12) * scale + shift, HALF)


@fused
def norm_of_sum(states, product, bias, scale, shift):
    return norm(tf.cast(states, WHOLE) + tf.cast(product, WHOLE) + bias, scale, shift)


@fused
def with_bias(product, bias):
    return tf.cast(tf.cast(product, WHOLE) + bias, HALF)


@fused
def shares(products, hidden):
    return tf.cast(tf.nn.softmax(tf.cast(products, WHOLE) / math.sqrt(WIDTH // HEADS) + hidden, -1), HALF)


@fused
def gelu_of(product, bias):
    x = tf.cast(product, WHOLE) + bias
    return tf.cast(0.5 * x * (1 + tf.tanh(math.sqrt(2 / math.pi) * x * (1 + 0.044715 * x * x))), HALF)


@fused
def slope_of_gelu(gradient, product, bias):
    x = tf.cast(product, WHOLE) + bias
    share = math.sqrt(2 / math.pi)
    bent = tf.tanh(share * x * (1 + 0.044715 * x * x))
    slope = 0.5 * (1 + bent) + 0.5 * x * (1 - bent * bent) * share * (1 + 3 * 0.044715 * x * x)
    return tf.cast(tf.cast(gradient, WHOLE) * slope, HALF)


@tf.custom_gradient
def gelu(product, bias):
    """TensorFlow's own gradient computes a power, which takes ten times as long."""

    def back(gradient):
        of_product = slope_of_gelu(gradient, product, bias)
        return of_product, tf.reduce_sum(tf.cast(of_product, WHOLE), 0)

    return gelu_of(product, bias), back


def layer_of(weights, states, hidden, layer, batch, tokens):
    prefix = f"encoder.layer.{layer}"

    def product(of, name):
        return tf.matmul(of, tf.cast(weights[f"{prefix}.{name}.weight"], HALF))

    def heads(name):
        own = with_bias(product(states, f"attention.self.{name}"), weights[f"{prefix}.attention.self.{name}.bias"])
        return tf.transpose(tf.reshape(own, [batch, tokens, HEADS, WIDTH // HEADS]), [0, 2, 1, 3])

    def added(states, of, name):
        norm_name = f"{prefix}.{name}.LayerNorm"
        return norm_of_sum(states, product(of, f"{name}.dense"), weights[f"{prefix}.{name}.dense.bias"],
                           weights[f"{norm_name}.weight"], weights[f"{norm_name}.bias"])

    query, key, value = heads("query"), heads("key"), heads("value")
    attention = tf.matmul(shares(tf.matmul(query, key, transpose_b=True), hidden), value)
    attention = tf.reshape(tf.transpose(attention, [0, 2, 1, 3]), [batch * tokens, WIDTH])
    states = added(states, attention, "attention.output")
    inner = gelu(product(states, "intermediate.dense"), weights[f"{prefix}.intermediate.dense.bias"])
    return added(states, inner, "output")


def vectors_of(weights, ids, mask):
    """Vectors of length one, batch x 384; ids and mask are batch x tokens."""
    batch, tokens = ids.shape
    states = (tf.gather(weights["embeddings.word_embeddings.weight"], ids)
              + weights["embeddings.position_embeddings.weight"][:tokens][None]
              + weights["embeddings.token_type_embeddings.weight"][0])
    states = norm(tf.reshape(states, [batch * tokens, WIDTH]),
                  weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"])
    hidden = ((1 - mask) * -1e9)[:, None, None, :]
    for layer in range(LAYERS):
        states = layer_of(weights, states, hidden, layer, batch, tokens)
    states = tf.reshape(tf.cast(states, WHOLE), [batch, tokens, WIDTH])
    return tf.math.l2_normalize(tf.reduce_sum(states * mask[..., None], 1) / tf.reduce_sum(mask, 1, keepdims=True), 1)


def padded(lists_of_ids, most, rows):
    """Ids and mask, rows x tokens; of few lengths, so that few shapes are compiled. Rows without a text have one token."""
    longest = min(most, max(map(len, lists_of_ids)))
    length = next(length for length in LENGTHS if length >= longest)
    ids = np.zeros((rows, length), np.int32)
    mask = np.zeros((rows, length), np.float32)
    mask[:, 0] = 1
    for row, one in enumerate(lists_of_ids):
        one = one[:most]
        ids[row, : len(one)] = one
        mask[row, : len(one)] = 1
    return tf.constant(ids), tf.constant(mask)
