import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { printedSeed, VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IndexUnderTest } from '../../../../test-support/index-under-test.ts';
import { openOpenSearchIndex } from '../../../../test-support/opensearch-under-test.ts';
import { openPostgresIndex } from '../../../../test-support/postgres-index.ts';
import { corpusOf, queriesOf, type Shape, withinFilters } from '../../../../test-support/random-corpora.ts';
import type { RankedHit, Ranking } from '../../../ranking/ranking.ts';

const RUNS = volumeOf(4, 60);
const QUERIES = 25;
/**
 * Scores may differ by these shares. Postgres derives frequencies from ranks, and does not count
 * fact lexemes in a length.
 */
const BY_ROUNDING = 0.02;
const BY_FACTS = 0.1;
const LEAST = 1e-4;

const PLAIN: Shape = { described: false, saysFacts: false, fewWords: false };
const MEANING = { model: 'cone/1', vector: vectorOf([0, 0, 0]), weight: 20, findsFrom: 0.78 };

/** Cosines with the axis of the cone are between .6 and 1. */
function vectorOf(others: readonly number[]): Int8Array {
  return Int8Array.from({ length: 384 }, (_, at) => [100, ...others][at] ?? 0);
}
const offAxis = fc.tuple(...Array.from({ length: 3 }, () => fc.integer({ min: -80, max: 80 }))).map(vectorOf);

const SHAPES: readonly Shape[] = [
  { ...PLAIN, described: true },
  PLAIN,
  { ...PLAIN, fewWords: true },
  { ...PLAIN, described: true, fewWords: true },
  { ...PLAIN, saysFacts: true },
];

function differences(reference: Ranking, subject: Ranking, share: number): string[] {
  const [expected, found] = [byCompany(reference), byCompany(subject)];
  return [
    ...[...expected.keys()].filter((id) => !found.has(id)).map((id) => `company ${id} is missing`),
    ...[...found.keys()].filter((id) => !expected.has(id)).map((id) => `company ${id} is too much`),
    ...[...expected].flatMap(([id, hits]) => otherScores(hits, found.get(id) ?? hits, share)),
    ...otherOrder(
      [...found.keys()].flatMap((id) => expected.get(id)?.slice(0, 1).map(rankOf) ?? []),
      share,
    ),
  ];
}

function otherScores(expected: readonly RankedHit[], found: readonly RankedHit[], share: number): string[] {
  const lengths = found.length === expected.length ? [] : [`${found.length} hits, not ${expected.length}`];
  const scores = expected.flatMap((hit, at) => {
    const other = found[at] ?? hit;
    return isNear(rankOf(hit), rankOf(other), share) ? [] : [`hit ${at}: ${partsOf(other)}, not ${partsOf(hit)}`];
  });
  return [...lengths, ...scores].map((said) => `company ${expected[0]?.companyId}: ${said}`);
}

/** What orders: the score, weighed by a similarity. */
function rankOf({ score, relevance: { similarity } }: RankedHit): number {
  return similarity === undefined ? score : score * Math.exp(MEANING.weight * (similarity - 1));
}

function partsOf({ observationId, score, ownText, companyContext, place }: RankedHit): string {
  return `${observationId} ${score} (own ${ownText}, context ${companyContext}, place ${place})`;
}

function otherOrder(scores: readonly number[], share: number): string[] {
  return scores.flatMap((score, at) => {
    const before = scores[at - 1] ?? score;
    return before < score && !isNear(before, score, 2 * share) ? [`${before} before ${score}`] : [];
  });
}

function byCompany({ hits }: Ranking): ReadonlyMap<bigint, readonly RankedHit[]> {
  return Map.groupBy(hits, ({ companyId }) => companyId);
}

function isNear(a: number, b: number, share: number): boolean {
  return Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b)) + LEAST;
}

describeWithOpenSearch('a ranking on OpenSearch beside one in memory', () => {
  test(
    'finds the same companies in the same order by the same scores, with vectors and without',
    async () => {
      const seed = printedSeed();
      for (let run = 0; run < RUNS; run += 1) {
        const shape = SHAPES[run % SHAPES.length] ?? PLAIN;
        const [corpus = { observations: [], companies: [] }] = fc.sample(corpusOf(shape), {
          numRuns: 1,
          seed: seed + run,
        });
        const searches = fc.sample(fc.tuple(queriesOf(shape), withinFilters), { numRuns: QUERIES, seed: seed + run });
        const { model } = MEANING;
        await using reference = await openPostgresIndex({ model });
        await using subject = await openOpenSearchIndex({ timeoutMs: 30_000, model });
        const ids = corpus.observations.flatMap(({ id }) => id ?? []);
        const sampled = fc.sample(offAxis, { numRuns: ids.length, seed: seed + run });
        const vectors = ids.map((id, at) => [id, sampled[at] ?? vectorOf([])] as const);
        /* OpenSearch counts words of replaced documents too, until it merges. */
        await Promise.all([reference.writeVectors(vectors), subject.writeVectors(vectors)]);
        await Promise.all([reference.apply(corpus), subject.apply(corpus)]);
        for (const [at, [query, within]] of searches.entries()) {
          const meaning = at % 2 === 0 ? undefined : MEANING;
          const rank = (index: IndexUnderTest) => index.rank(query, within, meaning);
          const [expected, found] = await Promise.all([rank(reference), rank(subject)]);
          expect
            .soft({
              run,
              query,
              within,
              meaning: meaning?.model,
              differ: differences(expected, found, shape.saysFacts ? BY_FACTS : BY_ROUNDING),
            })
            .toMatchObject({ differ: [] });
        }
      }
    },
    VOLUME_TIMEOUT_MS,
  );
});
