import { create } from '@bufbuild/protobuf';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { PlanSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { describe, expect, test } from 'vitest';
import { filters } from '../../test-support/documents.ts';
import type { ObservationIndex } from '../index/observation-index.ts';
import { rankCompanies } from './rank-companies.ts';
import type { RankedHit, RankingQuery } from './ranking.ts';
import { MISSED_FACTOR, UNKNOWN_FACTOR } from './weights.ts';

function hit(companyId: bigint, observationId: bigint, score: number): RankedHit {
  return {
    companyId,
    observationId,
    score,
    ownText: 0,
    companyContext: 0,
    place: 0,
    kind: 0,
    kindFactor: 1,
    placeFactor: 1,
    timeFactor: 1,
    avoidedFactor: 1,
    answerFactor: 1,
    factFactor: 1,
    highest: 20,
    relevance: { score, highest: 20 },
  };
}

const HITS = [hit(30n, 1n, 0.9), hit(20n, 2n, 0.5), hit(20n, 3n, 0.4), hit(10n, 4n, 0.5), hit(40n, 5n, 0.1)];

/** A score of 0.5 has even odds; a score of 0.9 has odds of 1.8⁸. */
const BY_SCORE = { constant: 8 * Math.log(2), score: 8, highest: 0 };

const TELLING = { trusted: true, countedObservations: 1000, ranksByWords: true, hits: HITS };

/** A similarity of 0.9 has the odds of a score of one half, whatever the score. */
const BY_SIMILARITY = { model: 'some', constant: -9, score: 0, highest: 0, similarity: 10, trusted: true };

/** What an engine answers about a query with a vector of this model. */
interface Meaning {
  readonly model: string;
  readonly cosines: Readonly<Record<string, number>>;
}

function meaningOf(cosines: Meaning['cosines'], model = 'some'): Meaning {
  return { model, cosines };
}

function withSimilarities(hits: readonly RankedHit[], { cosines }: Meaning): RankedHit[] {
  return hits.map((one) => {
    const similarity = cosines[String(one.observationId)];
    return { ...one, relevance: { ...one.relevance, ...(similarity !== undefined && { similarity }) } };
  });
}

const NO_WORDS = { terms: [], candidateTerms: [], corpus: 'observations', meanLength: 1 } as const;

async function rankHits(
  limits: Omit<Parameters<typeof rankCompanies>[3], 'calibration'>,
  plan = create(PlanSchema),
  { trusted, ...telling } = TELLING,
  meaning?: Meaning,
) {
  const asked: RankingQuery[] = [];
  const index = {
    rank: async (query: RankingQuery) => {
      asked.push(query);
      const hits = meaning ? withSimilarities(telling.hits, meaning) : telling.hits;
      return {
        droppedTerms: [],
        truncated: false,
        monthsLeftOut: false,
        retrievalCut: false,
        position: undefined,
        scoring: { own: NO_WORDS, context: NO_WORDS },
        ...telling,
        hits,
      };
    },
  } as Pick<ObservationIndex, 'rank'> as ObservationIndex;
  const ranking = await rankCompanies(
    index,
    plan,
    filters(),
    { ...limits, calibration: { weights: BY_SCORE, meaning: BY_SIMILARITY, trusted } },
    {
      timeoutMs: undefined,
      meaning: meaning && { model: meaning.model, vector: new Int8Array(), weight: 10, findsFrom: undefined },
    },
  );
  return { ...ranking, ids: ranking.companies.map(({ companyId }) => companyId), asked };
}

test('companies come by score, equal ones as the index has them, each with its observations in order', async () => {
  const { ids, companies } = await rankHits({ candidates: 100, companies: 100 });
  expect(ids).toEqual([30n, 20n, 10n, 40n]);
  expect(companies[1]?.hits.map(({ observationId }) => observationId)).toEqual([2n, 3n]);
});

test('the candidate limit counts companies before the relevance filter, the cut after it', async () => {
  const limited = await rankHits({ candidates: 3, companies: 100 });
  expect(limited).toMatchObject({ ids: [30n, 20n, 10n], candidates: 3, candidateLimitReached: true });
  const filtered = await rankHits({ candidates: 100, companies: 2 }, create(PlanSchema, { minimumRelevance: 500 }));
  expect(filtered).toMatchObject({ ids: [30n, 20n], candidates: 4, candidateLimitReached: false });
});

test('a query of nothing but a kind finds companies that show it, and no others', async () => {
  const kinds = [
    { kind: Kind.FACILITY_EXPANSION, factor: 1.5 },
    { kind: Kind.JOB_POSTING, factor: 0.3 },
  ];
  const hits = [
    { ...hit(1n, 1n, 0.9), kindFactor: 0.3 },
    { ...hit(2n, 2n, 0.5), kindFactor: 1.5 },
  ];
  const found = async (activity: { words: string[]; weight: number }[]) =>
    await rankHits({ candidates: 100, companies: 100 }, create(PlanSchema, { kinds, activity }), { ...TELLING, hits });
  const alone = await found([]);
  expect(alone.ids).toEqual([2n]);
  expect(alone.asked[0]?.filters.kinds).toEqual([Kind.FACILITY_EXPANSION]);
  expect((await found([{ words: ['solar'], weight: 1 }])).ids).toEqual([1n, 2n]);
});

test('how probable a company is depends on nothing but what it shows', async () => {
  const within = { candidates: 100, companies: 100 };
  const relevanceIn = async (hits: readonly RankedHit[]) => {
    const { companies } = await rankHits(within, create(PlanSchema), { ...TELLING, hits: [...hits] });
    return new Map(companies.map(({ companyId, relevance }) => [companyId, relevance]));
  };
  const all = await relevanceIn(HITS);
  for (const { companyId } of HITS) {
    const others = await relevanceIn(HITS.filter((one) => one.companyId !== companyId));
    for (const [id, relevance] of others) expect(all.get(id)).toBe(relevance);
    expect((await relevanceIn(HITS.filter((one) => one.companyId === companyId))).get(companyId)).toBe(
      all.get(companyId),
    );
  }
});

test('a company answers by the observation that speaks most for it, whichever ranks first', async () => {
  const within = { candidates: 100, companies: 100 };
  const hits = [hit(1n, 1n, 0.9), { ...hit(1n, 2n, 0.3), relevance: { score: 0.95, highest: 20 } }];
  const { companies } = await rankHits(within, create(PlanSchema), { ...TELLING, hits });
  const [alone] = (await rankHits(within, create(PlanSchema), { ...TELLING, hits: [hit(1n, 2n, 0.95)] })).companies;
  expect(companies[0]?.relevance).toBe(alone?.relevance);
});

test('a minimum probability of the plan leaves out less probable companies, and all where none is probable enough', async () => {
  const within = { candidates: 100, companies: 100 };
  const { companies, relevanceValidated } = await rankHits(within);
  expect(relevanceValidated).toBe(false);
  expect(companies.map(({ relevance }) => Math.round(relevance * 1000))).toEqual([991, 500, 500, 0]);
  const asking = (minimumRelevance: number) => rankHits(within, create(PlanSchema, { minimumRelevance }));
  expect(await asking(500)).toMatchObject({ ids: [30n, 20n, 10n], candidates: 4, relevanceValidated: true });
  expect(await asking(992)).toMatchObject({ ids: [], candidates: 4 });
});

test.each([
  ['in a record of 999 observations', { ...TELLING, countedObservations: 999 }],
  ['in a record whose words were not counted yet', { ...TELLING, countedObservations: 0 }],
  ['where no word but that of a kind, a place or a time was asked for', { ...TELLING, ranksByWords: false }],
  [
    'where nearly all of the record has the words',
    { ...TELLING, hits: HITS.map((one) => ({ ...one, relevance: { ...one.relevance, highest: 9.9 } })) },
  ],
])('no company is left out as improbable %s, and the ranking does not claim it', async (_, telling) => {
  const within = { candidates: 100, companies: 100 };
  const ranked = await rankHits(within, create(PlanSchema, { minimumRelevance: 992 }), telling);
  expect(ranked).toMatchObject({ ids: [30n, 20n, 10n, 40n], relevanceValidated: false });
});

test('with vectors, the trust in their probabilities counts', async () => {
  const plan = create(PlanSchema, { minimumRelevance: 400 });
  const within = { candidates: 100, companies: 100 };
  const untrusted = { ...TELLING, trusted: false };
  const all = meaningOf({ 1: 0.9, 2: 0.9, 3: 0.9, 4: 0.9, 5: 0.9 });
  expect(await rankHits(within, plan, untrusted, all)).toMatchObject({ relevanceValidated: true });
  expect(await rankHits(within, plan, untrusted, meaningOf({ 1: 0.9 }))).toMatchObject({ relevanceValidated: false });
});

test('a calibration that is not trusted leaves out as well, and the ranking does not claim to be validated', async () => {
  const plan = create(PlanSchema, { minimumRelevance: 500 });
  const ranked = await rankHits({ candidates: 100, companies: 100 }, plan, { ...TELLING, trusted: false });
  expect(ranked).toMatchObject({ ids: [30n, 20n, 10n], relevanceValidated: false });
});

describe('where vectors are known', () => {
  const within = { candidates: 100, companies: 100 };
  const asking = create(PlanSchema, { minimumRelevance: 600 });

  test('a company matches by its similarity, and one without a vector by words', async () => {
    const { companies, byMeaning } = await rankHits(within, asking, TELLING, meaningOf({ 1: 0.5, 5: 0.95 }));
    expect(companies.map(({ companyId }) => companyId)).toEqual([40n]);
    expect(byMeaning).toBe(true);
  });

  test('how probable a company is does not depend on what else is found', async () => {
    const hits = [hit(30n, 1n, 0.9)];
    const { companies } = await rankHits(within, asking, { ...TELLING, hits }, meaningOf({ 1: 0.5 }));
    expect(companies).toEqual([]);
  });

  test('companies of which no vector is known keep their scores', async () => {
    const least = create(PlanSchema, { minimumRelevance: 400 });
    const { companies } = await rankHits(within, least, TELLING, meaningOf({ 1: 0.1 }));
    expect(companies.map(({ companyId, score }) => [companyId, score])).toEqual([
      [20n, 0.5],
      [10n, 0.5],
    ]);
  });

  test('a company shows the observation that it answers by', async () => {
    const hits = [1n, 2n, 3n, 4n].map((id) => hit(1n, id, 0.9 - Number(id) / 100));
    const meaning = meaningOf({ 1: 0.5, 2: 0.5, 3: 0.5, 4: 0.95 });
    const { companies } = await rankHits(within, asking, { ...TELLING, hits }, meaning);
    expect(companies[0]?.hits.map(({ observationId }) => observationId)).toEqual([1n, 2n, 4n]);
  });

  test('the order is by score and similarity', async () => {
    const { ids } = await rankHits(within, undefined, TELLING, meaningOf({ 1: 0.5, 2: 0.9, 3: 0.5, 4: 0.8, 5: 0.9 }));
    expect(ids).toEqual([20n, 10n, 40n, 30n]);
  });

  test('vectors of another model than the calibrated one affect the order, and not the probability', async () => {
    const other = meaningOf({ 1: 0.5, 2: 0.95, 3: 0.5, 4: 0.5, 5: 0.95 }, 'another');
    const { companies, ids } = await rankHits(within, create(PlanSchema, { minimumRelevance: 500 }), TELLING, other);
    expect(ids).toEqual([20n, 30n, 10n]);
    expect(companies.map(({ relevance }) => Math.round(relevance * 1000))).toEqual([500, 991, 500]);
  });

  test('without any vector, words give the order', async () => {
    const { ids, byMeaning } = await rankHits(within, undefined, TELLING, meaningOf({}));
    expect([ids, byMeaning]).toEqual([[30n, 20n, 10n, 40n], false]);
  });
});

test('the index is asked for one company more than counts, and for three observations of each', async () => {
  const { asked } = await rankHits({ candidates: 100, companies: 5 });
  expect(asked[0]).toMatchObject({ companies: 101, observationsPerCompany: 3 });
});

describe('an observation that misses what the query states', () => {
  const within = { candidates: 100, companies: 100 };
  const of = (companyId: bigint, missed: Partial<RankedHit>) => ({ ...hit(companyId, companyId, 0.5), ...missed });
  const ELSEWHERE = { placeFactor: MISSED_FACTOR };
  const EARLIER = { timeFactor: MISSED_FACTOR };
  const OTHERWISE = { factFactor: MISSED_FACTOR * UNKNOWN_FACTOR };
  const UNSTATED = { factFactor: UNKNOWN_FACTOR };
  const rank = async (...hits: RankedHit[]) => {
    const { ids, unmet } = await rankHits(within, create(PlanSchema), { ...TELLING, hits });
    return { ids, unmet };
  };

  test.each([
    ['place', ELSEWHERE],
    ['time', EARLIER],
    ['fact', OTHERWISE],
  ])('is no answer: %s', async (condition, missed) => {
    expect(await rank(of(1n, missed), of(2n, {}))).toEqual({ ids: [2n], unmet: [] });
    expect(await rank(of(1n, missed))).toEqual({ ids: [], unmet: [condition] });
  });

  test('takes no other observation of its company along', async () => {
    const hits = [of(1n, ELSEWHERE), { ...hit(1n, 2n, 0.4) }];
    const { companies } = await rankHits(within, create(PlanSchema), { ...TELLING, hits });
    expect(companies[0]?.hits.map(({ observationId }) => observationId)).toEqual([2n]);
  });

  test('names the conditions that others do not meet either', async () => {
    expect(await rank(of(1n, ELSEWHERE), of(2n, { ...ELSEWHERE, ...EARLIER }))).toMatchObject({ unmet: ['place'] });
    expect(await rank(of(1n, ELSEWHERE), of(2n, EARLIER))).toMatchObject({ unmet: ['place', 'time'] });
    expect(await rank(of(2n, { ...ELSEWHERE, ...EARLIER }))).toMatchObject({ unmet: ['place', 'time'] });
  });

  test('an unstated fact is an answer that says so, unless another company states it', async () => {
    expect(await rank(of(1n, UNSTATED))).toEqual({ ids: [1n], unmet: ['fact'] });
    expect(await rank(of(1n, UNSTATED), of(2n, {}))).toEqual({ ids: [1n, 2n], unmet: [] });
  });

  test('a condition counts as unmet only by what would be probable enough', async () => {
    const asked = create(PlanSchema, { minimumRelevance: 900 });
    const unlikely = { score: 0.1 * MISSED_FACTOR, highest: 20 };
    const likely = { score: 0.9 * MISSED_FACTOR, highest: 20 };
    const unmetOf = async (relevance: RankedHit['relevance']) =>
      (await rankHits(within, asked, { ...TELLING, hits: [of(1n, { ...ELSEWHERE, relevance })] })).unmet;
    expect(await unmetOf(likely)).toEqual(['place']);
    expect(await unmetOf(unlikely)).toEqual([]);
  });
});
