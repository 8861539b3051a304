import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, observation } from '../../../test-support/documents.ts';
import { describeEngines } from '../../../test-support/engines.ts';
import type { IndexUnderTest } from '../../../test-support/index-under-test.ts';
import type { Ranking } from '../../ranking/ranking.ts';

const MODEL = 'plane/1';
/** Cosines with EAST: 1, .8 and 0. */
const EAST = pointing(100, 0);
const NORTH_EAST = pointing(80, 60);
const NORTH = pointing(0, 100);

function pointing(x: number, y: number): Int8Array {
  return Int8Array.from({ length: 384 }, (_, at) => [x, y][at] ?? 0);
}

function idsOf({ hits }: Ranking): bigint[] {
  return hits.map(({ observationId }) => observationId);
}

describeEngines((openIndex) => {
  let subject: IndexUnderTest;

  beforeAll(async () => {
    subject = await openIndex({ model: MODEL });
    await subject.apply({
      companies: [company(1n, 'Harbor Cells'), company(2n, 'Bakers'), company(3n, 'Frost'), company(4n, 'Quarry')],
      observations: [
        observation(11n, 1n, 'opened a refrigerated distribution centre in Reno'),
        observation(21n, 2n, 'enlarged a cold storage warehouse'),
        observation(31n, 3n, 'reopened a chilled depot', { kind: Kind.FUNDING_ROUND }),
        observation(41n, 4n, 'opened a quarry'),
      ],
    });
    await subject.writeVectors([
      [11n, EAST],
      [21n, NORTH_EAST],
      [31n, EAST],
      [41n, NORTH],
    ]);
  });
  afterAll(() => subject[Symbol.asyncDispose]());

  const rank = (query: string, within = filters(), findsFrom: number | 'never' = 0.5) =>
    subject.rank(query, within, {
      model: MODEL,
      vector: EAST,
      weight: 20,
      findsFrom: findsFrom === 'never' ? undefined : findsFrom,
    });

  test('an observation without a word of the query is found by its vector, the most similar first', async () => {
    const ranking = await rank('zeppelins');
    expect(idsOf(ranking)).toEqual([11n, 31n, 21n]);
    expect(ranking.hits.map(({ relevance }) => relevance.similarity?.toFixed(2))).toEqual(['1.00', '1.00', '0.80']);
  });

  test('words and meaning find together', async () => {
    expect(idsOf(await rank('cold storage warehouse')).toSorted()).toEqual([11n, 21n, 31n]);
  });

  test('only observations that are similar enough are found', async () => {
    expect(idsOf(await rank('zeppelins', filters(), 0.9))).toEqual([11n, 31n]);
  });

  test('if only words find documents, vectors only order them', async () => {
    expect(idsOf(await rank('zeppelins', filters(), 'never'))).toEqual([]);
    expect(idsOf(await rank('opened', filters(), 'never'))).toEqual([11n, 41n]);
  });

  test('filters, phrases and exclusions hold for what meaning finds', async () => {
    expect(idsOf(await rank('zeppelins', filters({ kinds: [Kind.FUNDING_ROUND] })))).toEqual([31n]);
    expect(idsOf(await rank('zeppelins -depot -Reno'))).toEqual([21n]);
    expect(idsOf(await rank('"chilled depot" zeppelins'))).toEqual([31n]);
  });

  test('a query that asks for nothing finds nothing by meaning', async () => {
    expect(idsOf(await rank('in Nevada'))).not.toContain(31n);
  });

  test('a vector is used by the next search after it was written, also a changed one', async () => {
    await subject.writeVectors([[41n, EAST]]);
    expect(idsOf(await rank('zeppelins'))).toContain(41n);
    await subject.writeVectors([[41n, NORTH]]);
    expect(idsOf(await rank('zeppelins'))).not.toContain(41n);
  });

  test('a changed observation keeps its vector until it gets another one', async () => {
    await subject.apply({ observations: [observation(31n, 3n, 'closed a chilled depot', { version: 2n })] });
    expect(idsOf(await rank('zeppelins'))).toEqual([11n, 31n, 21n]);
  });

  test('a vector that was written before its observation is used once the observation is there', async () => {
    await subject.writeVectors([[51n, EAST]]);
    await subject.apply({ observations: [observation(51n, 4n, 'planned a tower')] });
    expect(idsOf(await rank('zeppelins'))).toContain(51n);
  });

  test('vectors of another model neither find nor order', async () => {
    await subject.writeVectors([[11n, NORTH]], 'another/1');
    expect(idsOf(await rank('zeppelins'))).toContain(11n);
  });

  test('vectors affect the order only once nine in ten found documents have one', async () => {
    const ferries = [61n, 71n, 81n];
    await subject.apply({ observations: ferries.map((id, at) => observation(id, BigInt(at + 1), 'ran a ferry')) });
    await subject.writeVectors([
      [71n, NORTH],
      [81n, EAST],
    ]);
    expect(idsOf(await rank('ferry', filters(), 'never'))).toEqual([61n, 71n, 81n]);
    await subject.writeVectors([[61n, NORTH_EAST]]);
    expect(idsOf(await rank('ferry', filters(), 'never'))).toEqual([81n, 61n, 71n]);
  });

  test('a rebuild keeps vectors, also one that arrives meanwhile', async () => {
    expect(await subject.index.beginRebuild()).toBe(true);
    await subject.writeVectors([[91n, EAST]]);
    await subject.applyRebuild({
      companies: [company(1n, 'Harbor Cells')],
      observations: [
        observation(11n, 1n, 'opened a refrigerated distribution centre'),
        observation(51n, 4n, 'planned a tower'),
        observation(91n, 1n, 'rented a depot'),
      ],
    });
    await subject.writeVectors([[11n, EAST]]);
    expect(await subject.index.finishRebuild(1n)).toBe(true);
    expect(idsOf(await rank('zeppelins')).toSorted()).toEqual([11n, 51n, 91n]);
  });

  test('a withdrawn observation is not found by its vector', async () => {
    await subject.apply({ observations: [observation(51n, 4n, 'planned a tower', { version: 2n, tombstone: true })] });
    expect(idsOf(await rank('zeppelins')).toSorted()).toEqual([11n, 91n]);
    await subject.writeVectors([[51n, EAST]]);
    expect(idsOf(await rank('zeppelins')).toSorted()).toEqual([11n, 91n]);
  });
});
