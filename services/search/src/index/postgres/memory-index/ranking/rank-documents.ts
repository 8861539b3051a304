import { addUpScore, totalScore } from '../../../../ranking/add-up-score.ts';
import { weightBySimilarity } from '../../../../ranking/fuse.ts';
import { findsFromOf, type RankingQuery } from '../../../../ranking/ranking.ts';
import type { Scoring } from '../../../../ranking/scoring.ts';
import type { ScoredRow } from '../../../scored-observation.ts';
import type { Partitioning } from '../../partitions/partitions.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import type { SimilarityOf } from '../vectors/vector-table.ts';
import { bestOfBestCompanies } from './best-companies.ts';
import type { BufferPool } from './buffer-pool.ts';
import { describedCompanies } from './described-companies.ts';
import { findByContext } from './find-by-context.ts';
import { findByMeaning } from './find-by-meaning.ts';
import { findMatches } from './find-matches.ts';
import { literalCondition } from './literal-conditions.ts';
import { createObservationFilter } from './observation-filter.ts';
import { planFactors } from './plan-factors.ts';
import { scoreTexts } from './score-texts.ts';

interface DocumentsQuery extends RankingQuery, Partitioning {
  readonly scoring: Scoring;
}

export interface RankedDocuments {
  readonly rows: readonly ScoredRow[];
  readonly isRetrievalCut: boolean;
}

/** Scores observations with a word of the query or a described company; `now` in microseconds. */
export function rankDocuments(view: MemoryIndexView, query: DocumentsQuery, now: number): RankedDocuments {
  const { plan, scoring, filters, meaning } = query;
  const { observations: table, companyNumbers, buffers } = view;
  buffers.releaseAll();
  const filter = createObservationFilter(view, filters, query, now, literalCondition(view, plan));
  const factors = planFactors(view, plan, scoring.placeGain);
  const described = describedCompanies(view, scoring.context);
  const candidates = findMatches(view, query, filter, factors.inPlace);
  const byContext = findByContext(view, plan, filter, described);
  for (const document of byContext.documents) candidates.takeMatching(document);
  const isComparable = meaning !== undefined && meaning.model === view.vectors?.model;
  const similarityOf = isComparable ? view.vectors?.similaritiesTo(meaning.vector) : undefined;
  const findsFrom = similarityOf && findsFromOf(query, scoring);
  const finds = findsFrom !== undefined;
  if (similarityOf && finds)
    for (const document of findByMeaning(view, filter, similarityOf, findsFrom)) candidates.takeMatching(document);
  const { documents, slots } = candidates;
  const [lengths, codes] = [table.lengths.values, table.codes.values];
  const own = scoreTexts(view.observationTexts, scoring.own, { documents, slots, lengths, codes }, buffers);
  const companyOf = table.companies.values;
  const partsAt = (slot: number) => {
    const number = documents[slot] ?? 0;
    const describedAt = (described.slots.values[companyOf[number] ?? 0] ?? 0) - described.slots.base - 1;
    return {
      own: own[slot] ?? 0,
      ofCompany: describedAt < 0 ? 0 : (described.gains[describedAt] ?? 0),
      atPlace: factors.place(number),
      kindFactor: factors.kind(number),
      timeFactor: factors.time(number),
      avoidedFactor: factors.avoided(number),
      factFactor: factors.facts(number),
    };
  };
  const totals = buffers.floats(documents.length);
  for (let slot = 0; slot < totals.length; slot += 1) totals[slot] = totalScore(scoring, plan, partsAt(slot), finds);
  const order =
    similarityOf && meaning ? weighTotals(totals, documents, similarityOf, meaning.weight, buffers) : totals;
  const best = bestOfBestCompanies(view, documents, order, query.companies, query.observationsPerCompany);
  const rows = best.map((slot) => {
    const number = documents[slot] ?? 0;
    const observationId = BigInt(table.ids.values[number] ?? 0);
    const companyId = BigInt(companyNumbers.ids.values[companyOf[number] ?? 0] ?? 0);
    const parts = partsAt(slot);
    const scores = addUpScore(scoring, plan, parts, finds);
    return {
      observationId,
      companyId,
      own: parts.own,
      ...scores,
      similarity: similarityOf?.(number),
    };
  });
  return { rows, isRetrievalCut: byContext.isCut };
}

function weighTotals(
  totals: Float64Array,
  documents: Int32Array,
  similarityOf: SimilarityOf,
  weight: number,
  buffers: BufferPool,
): Float64Array {
  const similarities = buffers.floats(documents.length);
  for (let slot = 0; slot < documents.length; slot += 1)
    similarities[slot] = similarityOf(documents[slot] ?? 0) ?? Number.NaN;
  return weightBySimilarity(totals, similarities, weight);
}
