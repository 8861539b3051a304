"""Trains the cross-encoder on judged queries, on the processor: train_cross_encoder.py ENCODER.onnx CORPUS OUT.onnx [--steps N] [--seed N]

It begins as the first layers of the encoder. Each step takes some queries with right and wrong observations of each. The loss is
the cross entropy of single verdicts, weighted so that each query keeps its own share of right ones, and a third of that of the
order within a query. Only the set "training" is used: probabilities are fitted on the blind sets, measured on the test set.
"""

import argparse
import random
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from encoder import states_of
from judged import excerpts_of, read_judged, read_observations
from tokenizers import Tokenizer
from weights import WIDTH, read_weights, write_cross_encoder

MODEL = Path(__file__).parents[3] / "services/search/model"
LAYERS = 4
QUERIES, OBSERVATIONS = 8, 12
# As services/search/src/embedding/encoder/model.ts reads a pair.
TOKENS, QUERY_TOKENS = 80, 28
RATE, WARM_UP, HEAD_RATE, DECAY = 7e-5, 40, 10, 0.01
ORDER = 0.3

arguments = argparse.ArgumentParser()
arguments.add_argument("encoder")
arguments.add_argument("corpus")
arguments.add_argument("out")
arguments.add_argument("--steps", type=int, default=750)
arguments.add_argument("--seed", type=int, default=2)
options = arguments.parse_args()
rng = random.Random(options.seed)


def text_of(observation):
    """The same as passageText in services/search/src/reranking/passage-text.ts."""
    name, fact = observation["company"]["name"], observation["observed_fact"]
    head = [observation["kind"].replace("_", " "), observation.get("country") or "", (observation.get("occurred_at") or "")[:7]]
    return f"{', '.join(head + ([] if name in fact else [name]))}: {fact} {excerpts_of(observation)}".strip()


texts = {one["id"]: text_of(one) for one in read_observations(options.corpus)}
judged = [one for one in read_judged("training") if one["relevant"] or one["irrelevant"]]
tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
tokenizer.no_padding()
tokenizer.no_truncation()

base = read_weights(options.encoder)
TYPES = "embeddings.token_type_embeddings.weight"
frozen = {name: jnp.asarray(base[name]) for name in ("embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight")}
trained = {name: jnp.asarray(value) for name, value in base.items()
           if name.startswith(("embeddings.LayerNorm", *(f"encoder.layer.{layer}." for layer in range(LAYERS))))}
trained[TYPES] = jnp.asarray(base[TYPES][:2])
trained["head.weight"] = jnp.asarray(np.random.default_rng(options.seed).normal(0, 0.02, (2 * WIDTH, 1)).astype(np.float32))
trained["head.bias"] = jnp.full((1,), -1.0)
print(f"{len(judged)} queries, {sum(value.size for value in trained.values()) / 1e6:.1f} million weights are trained", flush=True)


def shortened(ids, most):
    return ids if len(ids) <= most else ids[: most - 1] + ids[-1:]


def tokenise_pairs(pairs):
    """Ids, mask and token types, batch x TOKENS."""
    shape = (len(pairs), TOKENS)
    ids, mask, types = np.zeros(shape, np.int32), np.zeros(shape, np.float32), np.zeros(shape, np.int32)
    for row, (query, text) in enumerate(pairs):
        first = shortened(tokenizer.encode(query).ids, QUERY_TOKENS)
        second = shortened(shortened(tokenizer.encode(text).ids, TOKENS)[1:], TOKENS - len(first))
        length = len(first) + len(second)
        ids[row, :length] = first + second
        mask[row, :length] = 1
        types[row, len(first) : length] = 1
    return ids, mask, types


def logits_of(trained, frozen, ids, mask, types):
    states = states_of(trained | frozen, ids, mask, range(LAYERS), types)
    mean = (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return (jnp.concatenate([mean, states[:, 0]], -1) @ trained["head.weight"] + trained["head.bias"])[:, 0]


def loss_of(trained, frozen, pairs, answers, shares):
    logits = logits_of(trained, frozen, *pairs)
    verdicts = (shares * (jax.nn.softplus(logits) - answers * logits)).sum() / shares.sum()
    right = answers.reshape(QUERIES, -1)
    count = right.sum(1)
    order = -(right * jax.nn.log_softmax(logits.reshape(QUERIES, -1), 1)).sum(1) / jnp.maximum(count, 1)
    is_mixed = (count > 0) & (count < OBSERVATIONS)
    return verdicts + ORDER * (order * is_mixed).sum() / jnp.maximum(is_mixed.sum(), 1), verdicts


def step(trained, first, second, at, rate, frozen, pairs, answers, shares):
    """Adam with weight decay of the matrices (arXiv 1412.6980, 1711.05101)."""
    (_, verdicts), gradient = jax.value_and_grad(loss_of, has_aux=True)(trained, frozen, pairs, answers, shares)
    first = {name: 0.9 * first[name] + 0.1 * gradient[name] for name in trained}
    second = {name: 0.999 * second[name] + 0.001 * gradient[name] ** 2 for name in trained}

    def moved(name, value):
        own = rate * (HEAD_RATE if name.startswith("head") else 1)
        decay = DECAY if name.endswith("dense.weight") else 0
        return value - own * ((first[name] / (1 - 0.9**at)) / (jnp.sqrt(second[name] / (1 - 0.999**at)) + 1e-8) + decay * value)

    return {name: moved(name, value) for name, value in trained.items()}, first, second, verdicts


step = jax.jit(step, donate_argnums=(0, 1, 2))


def shown_of(one):
    """A third right ones, if there are, as (id, answers)."""
    right, wrong = one["relevant"], one["irrelevant"]
    shown = [(id, True) for id in rng.sample(right, min(len(right), max(OBSERVATIONS // 3, OBSERVATIONS - len(wrong))))]
    shown += [(id, False) for id in rng.sample(wrong, min(len(wrong), OBSERVATIONS - len(shown)))]
    while len(shown) < OBSERVATIONS:
        id = rng.choice(right + wrong)
        shown.append((id, id in right))
    return shown


def batch(queue):
    while len(queue) < QUERIES:
        queue.extend(rng.sample(judged, len(judged)))
    pairs, answers, shares = [], [], []
    for one in [queue.pop(0) for _ in range(QUERIES)]:
        shown = shown_of(one)
        right = sum(answers for _, answers in shown)
        share = len(one["relevant"]) / (len(one["relevant"]) + len(one["irrelevant"]))
        for id, is_right in shown:
            pairs.append((one["query"], texts[id]))
            answers.append(float(is_right))
            shares.append(share * OBSERVATIONS / right if is_right else (1 - share) * OBSERVATIONS / (OBSERVATIONS - right))
    return tokenise_pairs(pairs), np.array(answers, np.float32), np.array(shares, np.float32)


first = {name: jnp.zeros_like(value) for name, value in trained.items()}
second = {name: jnp.zeros_like(value) for name, value in trained.items()}
queue, running, began = [], None, time.monotonic()
for at in range(1, options.steps + 1):
    rate = RATE * min(1, at / WARM_UP) * (1 - at / (options.steps + 1))
    trained, first, second, loss = step(trained, first, second, float(at), rate, frozen, *batch(queue))
    running = float(loss) if running is None else 0.95 * running + 0.05 * float(loss)
    if at % 10 == 0 or at == 1:
        print(f"step {at} of {options.steps}, loss {running:.3f}, {(time.monotonic() - began) / at:.1f} s a step", flush=True)
write_cross_encoder(trained, options.encoder, options.out, LAYERS)
