import type { RankStatement } from '../statement/rank-statement.ts';
import type { Admission } from './admission.ts';
import { Candidates } from './candidates.ts';
import type { CopiedIndex } from './copied-index.ts';
import { eachMatch, type Marks, markTerms } from './marks.ts';
import { partitionNumber, UNDATED_PARTITION } from './partition-number.ts';

/** Observations that words, or words in a place, retrieve inside the filters, as `candidateSql` has the database find them. */
export function findMatches(
  copy: CopiedIndex,
  { plan, scoring, retrieval }: RankStatement,
  admits: Admission,
  inPlace: Marks | undefined,
): Candidates {
  const { observations, observationTexts: texts, scratch } = copy;
  const { size } = observations;
  const partitions = observations.partitions.values;
  const { oldestPartition } = retrieval;
  const oldest = oldestPartition && partitionNumber(oldestPartition);
  const isNew = (number: number) => {
    const partition = partitions[number] ?? UNDATED_PARTITION;
    return partition === UNDATED_PARTITION || oldest === undefined || partition >= Number(oldest);
  };
  const candidates = new Candidates(copy, oldest ? (number) => isNew(number) && admits(number) : admits);
  eachMatch(texts, retrieval.own, (document) => candidates.take(document));
  const marksOf = new Map(
    [...new Set(retrieval.conjunctions.flat())].map((term) => [term, markTerms(texts, scratch.bytes(size), [term])]),
  );
  for (const [first, ...others] of retrieval.conjunctions) {
    const marks = others.flatMap((term) => marksOf.get(term) ?? []);
    if (first)
      eachMatch(texts, [first], (document) => {
        if (marks.every((those) => those[document] === 1)) candidates.take(document);
      });
  }
  if (plan.places.length > 0 && inPlace) {
    const words = scoring.own.terms.filter((term) => term.namesKinds.length === 0);
    const left = words.filter((term) => !retrieval.own.includes(term));
    if (words.length === 0) {
      for (let number = 0; number < size; number += 1) if (inPlace[number] === 1) candidates.take(number);
    } else
      eachMatch(texts, left, (document) => {
        if (inPlace[document] === 1) candidates.take(document);
      });
  }
  return candidates;
}
