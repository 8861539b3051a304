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
const EXPLAINED = 0.001;
const LEAST = 1e-4;

const PLAIN: Shape = { described: false, saysFacts: false, fewWords: false };
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
      [...found.keys()].flatMap((id) => expected.get(id)?.[0]?.score ?? []),
      share,
    ),
    ...subject.hits.flatMap(unexplained),
  ];
}

function otherScores(expected: readonly RankedHit[], found: readonly RankedHit[], share: number): string[] {
  const lengths = found.length === expected.length ? [] : [`${found.length} hits, not ${expected.length}`];
  const scores = expected.flatMap((hit, at) => {
    const other = found[at] ?? hit;
    return isNear(hit.score, other.score, share) ? [] : [`hit ${at}: ${partsOf(other)}, not ${partsOf(hit)}`];
  });
  return [...lengths, ...scores].map((said) => `company ${expected[0]?.companyId}: ${said}`);
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

function unexplained({ observationId, ownText, companyContext, gains }: RankedHit): string[] {
  const sumOf = (ofCompany: boolean) =>
    gains.filter((gain) => gain.ofCompany === ofCompany).reduce((sum, { value }) => sum + value, 0);
  const isExplained = isNear(sumOf(false), ownText, EXPLAINED) && isNear(sumOf(true), companyContext, EXPLAINED);
  return isExplained
    ? []
    : [`${observationId}: gains of ${sumOf(false)} and ${sumOf(true)} explain ${ownText} and ${companyContext}`];
}

function byCompany({ hits }: Ranking): ReadonlyMap<bigint, readonly RankedHit[]> {
  return Map.groupBy(hits, ({ companyId }) => companyId);
}

function isNear(a: number, b: number, share: number): boolean {
  return Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b)) + LEAST;
}

describeWithOpenSearch('a ranking on OpenSearch beside one in memory', () => {
  test(
    'finds the same companies by the same scores',
    async () => {
      const seed = printedSeed();
      for (let run = 0; run < RUNS; run += 1) {
        const shape = SHAPES[run % SHAPES.length] ?? PLAIN;
        const [corpus = {}] = fc.sample(corpusOf(shape), { numRuns: 1, seed: seed + run });
        const searches = fc.sample(fc.tuple(queriesOf(shape), withinFilters), { numRuns: QUERIES, seed: seed + run });
        await using reference = await openPostgresIndex();
        await using subject = await openOpenSearchIndex({ timeoutMs: 30_000 });
        await Promise.all([reference.apply(corpus), subject.apply(corpus)]);
        for (const [query, within] of searches) {
          const rank = (index: IndexUnderTest) => index.rank(query, within, true);
          const [expected, found] = await Promise.all([rank(reference), rank(subject)]);
          expect
            .soft({
              run,
              query,
              within,
              differ: differences(expected, found, shape.saysFacts ? BY_FACTS : BY_ROUNDING),
            })
            .toMatchObject({ differ: [] });
        }
      }
    },
    VOLUME_TIMEOUT_MS,
  );
});
