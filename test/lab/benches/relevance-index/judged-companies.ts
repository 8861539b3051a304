import type { RelevanceFeatures } from '@ces/search/ranking/calibration';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import { BLIND_SETS, readBlindJudgments, readBlindQueries } from './blind.ts';
import { kindNamed } from './corpus.ts';
import type { CorpusIndex } from './corpus-index.ts';
import { type HeldOut, readHeldOut } from './held-out.ts';
import { type FilteredQuery, rankQuery } from './score-query.ts';

/** A query with what was ranked for it, and what is known of each company. */
export interface JudgedRanking {
  /** `labels`: judged by codes of the sources; the others by reading what is shown. */
  readonly set: 'labels' | 'held out' | (typeof BLIND_SETS)[number]['name'];
  readonly id: string;
  readonly companies: readonly JudgedCompany[];
  /** Companies known to answer, found or not. */
  readonly answers: number;
}

interface JudgedCompany {
  readonly features: RelevanceFeatures;
  /** Undefined: nobody judged what it shows. */
  readonly answers: boolean | undefined;
}

/** Ranks every query that was judged, by codes or by reading. */
export async function readJudgedRankings(subject: CorpusIndex): Promise<JudgedRanking[]> {
  const rankings: JudgedRanking[] = [];
  const add = async (set: JudgedRanking['set'], query: FilteredQuery & { query_id: string }, verdict: Verdict) => {
    const { companies } = await rankQuery(query, subject);
    const judged = companies.map((company) => ({
      features: featuresOf(company),
      answers: verdict.of(company),
    }));
    rankings.push({ set, id: query.query_id, companies: judged, answers: verdict.answers });
  };
  for (const query of subject.judged) await add('labels', query, byLabels(query, subject));
  for (const query of readHeldOut()) await add('held out', query, byCompany(query));
  for (const set of BLIND_SETS)
    for (const [query, verdict] of readBlind(set, subject)) await add(set.name, query, verdict);
  return rankings;
}

interface Verdict {
  readonly answers: number;
  readonly of: (company: RankedCompany) => boolean | undefined;
}

/** Those of the observation that speaks most for the company. */
function featuresOf({ hits }: RankedCompany): RelevanceFeatures {
  const [best = { score: 0, highest: 0 }] = hits.map((hit) => hit.relevance).toSorted((a, b) => b.score - a.score);
  return best;
}

/** Whether a company shows an observation of the pool with the right codes; undefined where it shows none of the pool. */
function byLabels(query: CorpusIndex['judged'][number], { corpus }: CorpusIndex): Verdict {
  const right = new Set(query.relevant_observation_ids.map(BigInt));
  const kind = kindNamed(query.pool.kind);
  const inPool = (id: bigint) =>
    corpus.byId.get(id)?.kind === kind && corpus.byId.get(id)?.origin === query.pool.source;
  const of = ({ hits }: RankedCompany) => {
    const pooled = hits.map(({ observationId }) => observationId).filter(inPool);
    return pooled.length === 0 ? undefined : pooled.some((id) => right.has(id));
  };
  return { answers: query.relevant_company_ids.length, of };
}

function byCompany({ relevant, irrelevant }: HeldOut): Verdict {
  const verdicts = new Map([
    ...irrelevant.map((id) => [BigInt(id), false] as const),
    ...relevant.map((id) => [BigInt(id), true] as const),
  ]);
  return { answers: relevant.length, of: ({ companyId }) => verdicts.get(companyId) };
}

/** Queries of which something was read; a company answers by any observation that it shows. */
function readBlind(
  set: (typeof BLIND_SETS)[number],
  { corpus }: CorpusIndex,
): (readonly [ReturnType<typeof readBlindQueries>[number], Verdict])[] {
  const judgments = readBlindJudgments(set.judgments);
  return readBlindQueries(set.queries).flatMap((query) => {
    const judged = judgments.get(query.query_id);
    if (!judged) return [];
    const right = [...judged].filter(([, verdict]) => verdict).map(([id]) => corpus.byId.get(id)?.companyId);
    const of = ({ hits }: RankedCompany) => {
      const verdicts = hits.flatMap(({ observationId: id }) => judged.get(id) ?? []);
      return verdicts.length === 0 ? undefined : verdicts.includes(true);
    };
    return [[query, { answers: new Set(right).size, of }] as const];
  });
}
