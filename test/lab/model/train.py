"""Fine-tunes an encoder on judged queries, on the processor: train.py BASE.onnx CORPUS OUT.onnx [--steps N] [--seed N]

CORPUS is a folder with observations.jsonl.gz. The queries are those that words and weights may be chosen by, never the test set.
Each step takes some queries, one right and some wrong observations of each. It raises the right one's cosine over those of all
others of the step (InfoNCE, arXiv 1807.03748), and moves the cosines of right and wrong ones to two sides of one threshold, so
that they can be compared between queries. The file holds a mean of the weights before and after (arXiv 2109.01903): it forgets less
of what the base knows. One training query in eight is only for measuring.
"""

import argparse
import gzip
import hashlib
import json
import random
import time
from pathlib import Path

import numpy as np
import tensorflow as tf
from encoder import padded, vectors_of
from tokenizers import Tokenizer
from weights import WIDTH, read_weights, write_weights

ROOT = Path(__file__).parents[3]
MODEL = ROOT / "services/search/model"
JUDGED = ROOT / "test/lab/benches/relevance-index"
SETS = ("blind", "blind-second", "training")
QUERIES, WRONG = 32, 3
OBSERVATIONS = QUERIES * (1 + WRONG)
QUERY_TOKENS, TOKENS = 24, 96
TEMPERATURE = 0.02
# The probability that an observation answers is sigmoid(SLOPE * cosine - SHIFT). Observations of other queries count little.
SLOPE, SHIFT, OTHERS = 12.0, 10.5, 0.02
RATE, WARM_UP = 6e-5, 30
# The share of the base in the file.
BASE = 0.15
MEASURED = 8

arguments = argparse.ArgumentParser()
arguments.add_argument("base")
arguments.add_argument("corpus")
arguments.add_argument("out")
arguments.add_argument("--steps", type=int, default=500)
arguments.add_argument("--seed", type=int, default=1)
options = arguments.parse_args()
rng = random.Random(options.seed)


def read_texts(folder):
    texts = {}
    with gzip.open(f"{folder}/observations.jsonl.gz", "rt") as lines:
        for line in lines:
            one = json.loads(line)
            excerpts = " ".join(evidence["excerpt"] for evidence in one["evidence"])[:500]
            texts[one["id"]] = f"{one['observed_fact']} {excerpts}".strip()
    return texts


def read_lines(file):
    with open(file) as lines:
        return [json.loads(line) for line in lines]


def read_judged(name):
    """Queries with the ids of what answers them and what does not; a later reading of an observation counts."""
    verdicts = {}
    for reading in sorted(read_lines(JUDGED / f"{name}-judgments.jsonl"), key=lambda one: one["pass"]):
        own = verdicts.setdefault(reading["query_id"], {})
        own.update({id: True for id in reading["relevant"]} | {id: False for id in reading["irrelevant"]})
    for query in read_lines(JUDGED / f"{name}.jsonl"):
        own = verdicts.get(query["query_id"], {})
        yield {
            "query": query["query"],
            "relevant": [id for id, answers in own.items() if answers],
            "irrelevant": [id for id, answers in own.items() if not answers],
        }


def is_measured(one):
    return int(hashlib.md5(one["query"].encode()).hexdigest(), 16) % MEASURED == 0


def ids_of(texts):
    return [one.ids for one in tokenizer.encode_batch(texts)]


texts = read_texts(options.corpus)
judged = [one for name in SETS for one in read_judged(name)]
measured = [one for one in judged if is_measured(one) and one["relevant"] and one["irrelevant"]]
judged = [one for one in judged if not is_measured(one) and one["relevant"] and len(one["irrelevant"]) >= WRONG]
tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
tokenizer.no_padding()
tokenizer.no_truncation()
weights = {name: tf.Variable(value, dtype=tf.float32) for name, value in read_weights(options.base).items()}
trained = [value for name, value in weights.items() if name.startswith("encoder.layer.")]
optimizer = tf.keras.optimizers.AdamW(weight_decay=0.01, epsilon=1e-8)
print(f"{len(judged)} queries, {sum(value.shape.num_elements() for value in trained) / 1e6:.1f} million weights are trained", flush=True)


@tf.function
def step(query, query_mask, shown, shown_mask, open_to):
    with tf.GradientTape() as tape:
        cosines = tf.matmul(vectors_of(weights, query, query_mask), vectors_of(weights, shown, shown_mask), transpose_b=True)
        right = tf.range(QUERIES) * (1 + WRONG)
        ranking = tf.nn.sparse_softmax_cross_entropy_with_logits(right, tf.where(open_to, cosines / TEMPERATURE, -1e9))
        own = tf.repeat(tf.eye(QUERIES), 1 + WRONG, axis=1)
        counts = tf.where(open_to, own + (1 - own) * OTHERS, 0.0)
        answers = tf.nn.sigmoid_cross_entropy_with_logits(tf.one_hot(right, OBSERVATIONS), SLOPE * cosines - SHIFT)
        loss = tf.reduce_mean(ranking) + tf.reduce_sum(counts * answers) / tf.reduce_sum(counts)
    gradient, _ = tf.clip_by_global_norm(tape.gradient(loss, trained), 1.0)
    optimizer.apply_gradients(zip(gradient, trained))
    return loss


def batch(queue):
    """Queries of a step, their observations, and which of these each may be compared with: not with another one that is right."""
    while len(queue) < QUERIES:
        queue.extend(rng.sample(judged, len(judged)))
    taken = [queue.pop(0) for _ in range(QUERIES)]
    documents = [id for one in taken for id in (rng.choice(one["relevant"]), *rng.sample(one["irrelevant"], WRONG))]
    open_to = np.ones((QUERIES, OBSERVATIONS), bool)
    for row, one in enumerate(taken):
        relevant = set(one["relevant"])
        for column, id in enumerate(documents):
            open_to[row, column] = column == row * (1 + WRONG) or id not in relevant
    asked = padded(ids_of([f"query: {one['query']}" for one in taken]), QUERY_TOKENS, QUERIES)
    shown = padded(ids_of([f"passage: {texts[id]}" for id in documents]), TOKENS, OBSERVATIONS)
    return *asked, *shown, tf.constant(open_to)


encode = tf.function(lambda held, ids, mask: vectors_of(held, ids, mask))


def vectors(held, encoded, most):
    """Vectors of texts by their ids, shortest first, so that few tokens are padding."""
    made = np.zeros((len(encoded), WIDTH), np.float32)
    order = sorted(range(len(encoded)), key=lambda at: len(encoded[at]))
    for first in range(0, len(order), 64):
        own = order[first : first + 64]
        made[own] = encode(held, *padded([encoded[at] for at in own], most, 64)).numpy()[: len(own)]
    return made


def measure(held):
    """nDCG@10 by cosine of the judged observations of queries that had no part in training."""
    ids = sorted({id for one in measured for id in (*one["relevant"], *one["irrelevant"])})
    rows = {id: row for row, id in enumerate(ids)}
    shown = vectors(held, ids_of([f"passage: {texts[id]}" for id in ids]), TOKENS)
    asked = vectors(held, ids_of([f"query: {one['query']}" for one in measured]), QUERY_TOKENS)
    gains = []
    for one, vector in zip(measured, asked):
        own = [*one["relevant"], *one["irrelevant"]]
        order = np.argsort(-(shown[[rows[id] for id in own]] @ vector), kind="stable")[:10]
        best = min(10, len(one["relevant"]))
        discounts = 1 / np.log2(np.arange(2, 12))
        gains.append(discounts[: len(order)][order < len(one["relevant"])].sum() / discounts[:best].sum())
    return np.mean(gains)


queue, running, began = [], None, time.monotonic()
for at in range(1, options.steps + 1):
    optimizer.learning_rate.assign(RATE * min(1, at / WARM_UP) * (1 - at / (options.steps + 1)))
    loss = float(step(*batch(queue)))
    running = loss if running is None else 0.97 * running + 0.03 * loss
    if at % 20 == 0 or at == 1:
        print(f"step {at} of {options.steps}, loss {running:.3f}, {(time.monotonic() - began) / at:.1f} s a step", flush=True)
start = {name: tf.constant(value, tf.float32) for name, value in read_weights(options.base).items()}
mean = {name: BASE * start[name] + (1 - BASE) * value for name, value in weights.items()}
write_weights({name: value.numpy() for name, value in mean.items()}, options.base, options.out)
written = {name: tf.constant(value, tf.float32) for name, value in read_weights(options.out).items()}
print(f"nDCG@10 of judged observations, {len(measured)} other queries: {measure(start):.3f} before, "
      f"{measure(weights):.3f} trained, {measure(mean):.3f} as a mean, {measure(written):.3f} in the file")
