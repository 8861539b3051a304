"""Fine-tunes an encoder on judged queries, on the processor: train.py BASE.onnx CORPUS OUT.onnx [--steps N] [--seed N]

CORPUS is a folder with observations.jsonl.gz. The queries are those that words and weights may be chosen by, never the test set.
Each step takes some queries, one right and some wrong observations of each, and raises the right one's cosine over those of all
others of the step (InfoNCE, arXiv 1807.03748). Embeddings and the lower layers stay as they are.
"""

import argparse
import gzip
import json
import random
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from encoder import pool, states_of, through, tokenise
from tokenizers import Tokenizer
from weights import LAYERS, read_weights, write_weights

ROOT = Path(__file__).parents[3]
MODEL = ROOT / "services/search/model"
JUDGED = ROOT / "test/lab/benches/relevance-index"
SETS = ("blind", "blind-second", "training")
QUERIES, WRONG = 16, 3
TOKENS = 64
TEMPERATURE = 0.02
RATE, WARM_UP = 3e-5, 20
FROZEN = range(0, 6)
TRAINED = range(6, LAYERS)

arguments = argparse.ArgumentParser()
arguments.add_argument("base")
arguments.add_argument("corpus")
arguments.add_argument("out")
arguments.add_argument("--steps", type=int, default=260)
arguments.add_argument("--seed", type=int, default=1)
options = arguments.parse_args()
rng = random.Random(options.seed)


def read_texts(folder):
    texts = {}
    with gzip.open(f"{folder}/observations.jsonl.gz", "rt") as lines:
        for line in lines:
            one = json.loads(line)
            excerpts = " ".join(evidence["excerpt"] for evidence in one["evidence"])[:500]
            texts[one["id"]] = f"passage: {one['observed_fact']} {excerpts}".strip()
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


texts = read_texts(options.corpus)
judged = [one for name in SETS for one in read_judged(name)]
judged = [one for one in judged if one["relevant"] and len(one["irrelevant"]) >= WRONG]
tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
tokenizer.no_padding()
tokenizer.no_truncation()
weights = read_weights(options.base)
trained = {name: value for name, value in weights.items() if any(name.startswith(f"encoder.layer.{at}.") for at in TRAINED)}
frozen = {name: jnp.asarray(value) for name, value in weights.items() if name not in trained}
print(f"{len(judged)} queries, {sum(value.size for value in trained.values()) / 1e6:.1f} million weights are trained", flush=True)


def loss_of(trained, below, masks, open_to):
    query, document = (pool(through(trained, states, mask, TRAINED), mask) for states, mask in zip(below, masks))
    scores = jnp.where(open_to, query @ document.T / TEMPERATURE, -1e9)
    right = jnp.arange(QUERIES) * (1 + WRONG)
    return -jax.nn.log_softmax(scores, 1)[jnp.arange(QUERIES), right].mean()


@jax.jit
def below_of(ids, mask):
    return states_of(frozen, ids, mask, FROZEN)


@jax.jit
def step(trained, first, second, at, rate, below, masks, open_to):
    """Adam, as in arXiv 1412.6980."""
    loss, gradient = jax.value_and_grad(loss_of)(trained, below, masks, open_to)
    first = {name: 0.9 * first[name] + 0.1 * gradient[name] for name in trained}
    second = {name: 0.999 * second[name] + 0.001 * gradient[name] ** 2 for name in trained}
    moved = {name: value - rate * (first[name] / (1 - 0.9**at)) / (jnp.sqrt(second[name] / (1 - 0.999**at)) + 1e-8)
             for name, value in trained.items()}
    return moved, first, second, loss


def batch(queue):
    """Queries of a step, their observations, and which of these each may be compared with: not with another one that is right."""
    while len(queue) < QUERIES:
        queue.extend(rng.sample(judged, len(judged)))
    taken = [queue.pop(0) for _ in range(QUERIES)]
    shown = [[rng.choice(one["relevant"]), *rng.sample(one["irrelevant"], WRONG)] for one in taken]
    documents = [id for ids in shown for id in ids]
    open_to = np.ones((QUERIES, len(documents)), bool)
    for row, one in enumerate(taken):
        for column, id in enumerate(documents):
            open_to[row, column] = column == row * (1 + WRONG) or id not in one["relevant"]
    return [f"query: {one['query']}" for one in taken], [texts[id] for id in documents], open_to


first = {name: np.zeros_like(value) for name, value in trained.items()}
second = {name: np.zeros_like(value) for name, value in trained.items()}
queue, running, began = [], None, time.monotonic()
for at in range(1, options.steps + 1):
    asked, shown, open_to = batch(queue)
    sides = [tokenise(tokenizer, asked, 32), tokenise(tokenizer, shown, TOKENS)]
    below = [below_of(*side) for side in sides]
    rate = RATE * min(1, at / WARM_UP) * (1 - at / (options.steps + 1))
    trained, first, second, loss = step(trained, first, second, float(at), rate, below, [mask for _, mask in sides], open_to)
    running = float(loss) if running is None else 0.95 * running + 0.05 * float(loss)
    if at % 10 == 0 or at == 1:
        print(f"step {at} of {options.steps}, loss {running:.3f}, {(time.monotonic() - began) / at:.1f} s a step", flush=True)
    if at % 100 == 0:
        write_weights({**frozen, **trained}, options.base, options.out)
write_weights({**frozen, **trained}, options.base, options.out)
