"""Reads the corpus and the judged queries of the lab."""

import gzip
import json
from pathlib import Path

JUDGED = Path(__file__).parents[1] / "benches/relevance-index"
# Units of text of an observation's excerpts that models are shown.
EXCERPTS = 500


def read_observations(folder):
    """All observations of a corpus folder; observations.jsonl.gz has one in each line."""
    with gzip.open(f"{folder}/observations.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def excerpts_of(observation):
    return " ".join(evidence["excerpt"] for evidence in observation["evidence"])[:EXCERPTS]


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
