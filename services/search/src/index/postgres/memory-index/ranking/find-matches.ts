import { isTopicTerm } from '../../../../ranking/plan-traits.ts';
import type { RankStatement } from '../../statement/rank-statement.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import { partitionNumber, UNDATED_PARTITION } from '../partition-number.ts';
import type { Marks } from './buffer-pool.ts';
import { Candidates } from './candidates.ts';
import { markTerms, runsOf } from './marks.ts';
import { type ObservationFilter, where } from './observation-filter.ts';

/** Equals the retrieval by words and places of `candidateSql`. */
export function findMatches(
  view: MemoryIndexView,
  { plan, scoring, retrieval }: RankStatement,
  filter: ObservationFilter,
  inPlace: Marks | undefined,
): Candidates {
  const { observations, observationTexts: texts, buffers } = view;
  const { size } = observations;
  const partitions = observations.partitions.values;
  const { oldestPartition } = retrieval;
  const oldest = oldestPartition === undefined ? undefined : partitionNumber(oldestPartition);
  const isNew = (number: number) => {
    const partition = partitions[number] ?? UNDATED_PARTITION;
    return partition === UNDATED_PARTITION || oldest === undefined || partition >= oldest;
  };
  const admitted = oldest === undefined ? filter : where(filter, isNew);
  const candidates = new Candidates(view, admitted);
  candidates.takeRuns(runsOf(texts, retrieval.own));
  const others = new Set(retrieval.conjunctions.flatMap(([, ...behind]) => behind));
  const marksOf = new Map([...others].map((term) => [term, markTerms(texts, buffers.marks(size), [term])]));
  for (const [first, ...behind] of retrieval.conjunctions)
    if (first) candidates.takeRuns(runsOf(texts, [first]), ...behind.flatMap((term) => marksOf.get(term) ?? []));
  if (plan.places.length > 0 && inPlace) {
    const { terms } = scoring.own;
    const left = terms.filter((term) => term.namesKinds.length === 0 && !retrieval.own.includes(term));
    if (!terms.some(isTopicTerm)) candidates.takeBelow(size, inPlace);
    else candidates.takeRuns(runsOf(texts, left), inPlace);
  }
  return candidates;
}
