"""How well a company's probability of relevance can be told by logistic regression, by the features it is given.

fit_relevance.py FEATURES, a file of `npm run lab -- relevance-features`. Fits on every set but the third, which is shown: nDCG@10 in the
order of probability, and for each least probability the precision of a page of 25, the recall of min(25, answers), and the companies left
where nothing answers.
"""

import json
import math
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression

PAGE = 25
THRESHOLDS = (0, 0.05, 0.1, 0.15, 0.2, 0.3)
# What a query counts, whatever number of its observations was judged.
QUERY_WEIGHT = 10
KINDS = range(1, 10)


def features_of(query, hit):
    """What is known of one observation; conditions that are not asked for have a value of their own."""
    features = {
        "score": math.log(max(hit["relevance"]["score"], 1e-3)),
        "highest": math.log(max(hit["relevance"]["highest"], 10)),
        "likeness": hit["likeness"],
        "likeness beyond the background": (hit["likeness"] - query["background"]) / query["spread"],
        "words alone of the company": float(hit["ownText"] <= 0),
        "share of the company": hit["companyContext"] / max(1, hit["highest"]),
        "place": hit["placeFactor"] if query["asksPlace"] else 1.5,
        "time": hit["timeFactor"] if query["asksTime"] else 1.5,
        "fact": hit["factFactor"] if query["asksFact"] else 1.5,
        "avoided": hit["avoidedFactor"],
        "kind": hit["kindFactor"],
    }
    return features | {f"kind {kind}": float(hit["observationKind"] == kind) for kind in KINDS}


GROUPS = {
    "words": ["score", "highest"],
    "words, likeness": ["score", "highest", "likeness"],
    "words, likeness beyond the background": ["score", "highest", "likeness beyond the background"],
    "all but kinds": None,
    "all": None,
}


def read(file):
    with open(file) as lines:
        for line in lines:
            query = json.loads(line)
            for company in query["companies"]:
                rows = [list(features_of(query, hit).values()) for hit in company["hits"]]
                company["features"] = np.array(rows, np.float32)
                verdicts = [hit.get("answers") for hit in company["hits"]]
                company["verdicts"] = verdicts
                company["answers"] = True in verdicts
            yield query


def judged(queries):
    rows, outcomes, weights = [], [], []
    for query in queries:
        own = [(row, verdict) for company in query["companies"]
               for row, verdict in zip(company["features"], company["verdicts"]) if verdict is not None]
        rows += [row for row, _ in own]
        outcomes += [verdict for _, verdict in own]
        weights += [QUERY_WEIGHT / len(own)] * len(own)
    return np.array(rows), np.array(outcomes), np.array(weights)


def gain_of(right, answers):
    ideal = sum(1 / math.log2(at + 2) for at in range(min(10, answers)))
    return sum(1 / math.log2(at + 2) for at, is_right in enumerate(right[:10]) if is_right) / ideal


def report(label, queries, probability):
    gains, cuts = [], {least: ([], [], []) for least in THRESHOLDS}
    for query in queries:
        rated = sorted(((probability(company["features"]), company["answers"]) for company in query["companies"]), reverse=True)
        if query["answers"] > 0:
            gains.append(gain_of([is_right for _, is_right in rated], query["answers"]))
        for least, (precisions, recalls, unanswered) in cuts.items():
            page = [is_right for value, is_right in rated if value >= least][:PAGE]
            if query["answers"] == 0:
                unanswered.append(len(page))
                continue
            recalls.append(sum(page) / min(PAGE, query["answers"]))
            if page:
                precisions.append(sum(page) / len(page))
    shown = "  ".join(f"{least}: {np.mean(p):.2f} {np.mean(r):.2f} {np.mean(u):.1f}" for least, (p, r, u) in cuts.items())
    print(f"{label}: nDCG@10 {np.mean(gains):.3f}; precision, recall, companies where nothing answers by least probability: {shown}")


queries = list(read(sys.argv[1]))
tested = [query for query in queries if query["set"] == "third"]
rows, outcomes, weights = judged(query for query in queries if query["set"] != "third")
names = list(features_of(queries[0], next(query for query in queries if query["companies"])["companies"][0]["hits"][0]))
for label, some in GROUPS.items():
    some = some or [name for name in names if label == "all" or not name.startswith("kind ")]
    columns = [names.index(name) for name in some]
    mean, deviation = rows[:, columns].mean(0), rows[:, columns].std(0) + 1e-9
    fitted = LogisticRegression(max_iter=500).fit((rows[:, columns] - mean) / deviation, outcomes, sample_weight=weights)
    slopes = fitted.coef_[0] / deviation
    constant = fitted.intercept_[0] - (slopes * mean).sum()
    report(label, tested, lambda features: 1 / (1 + math.exp(-(features[:, columns] @ slopes + constant).max())))
    print("  " + ", ".join(f"{name} {slope:.3f}" for name, slope in zip(some, slopes)) + f", constant {constant:.3f}")
