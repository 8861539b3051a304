import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, observation } from '../../../../test-support/documents.ts';
import { vocabulary } from '../../../../test-support/index-under-test.ts';
import { openPostgresIndex, type PostgresIndexUnderTest } from '../../../../test-support/postgres-index.ts';
import { digestOf } from '../../../embedding/observation-vector.ts';
import { writeVectors } from '../../../embedding/vector-table.ts';
import { planQuery } from '../../../planning/plan-query.ts';

const MODEL = 'plane/1';
/** Cosines with EAST: 1, .8 and 0. */
const EAST = Int8Array.of(100, 0);
const NORTH_EAST = Int8Array.of(80, 60);
const NORTH = Int8Array.of(0, 100);

let subject: PostgresIndexUnderTest;

beforeAll(async () => {
  subject = await openPostgresIndex({ model: MODEL });
  await subject.apply({
    companies: [company(1n, 'Harbor Cells'), company(2n, 'Bakers'), company(3n, 'Frost'), company(4n, 'Quarry')],
    observations: [
      observation(11n, 1n, 'opened a refrigerated distribution centre in Reno'),
      observation(21n, 2n, 'enlarged a cold storage warehouse'),
      observation(31n, 3n, 'reopened a chilled depot', { kind: Kind.FUNDING_ROUND }),
      observation(41n, 4n, 'opened a quarry'),
    ],
  });
  await write([
    [11n, EAST],
    [21n, NORTH_EAST],
    [31n, EAST],
    [41n, NORTH],
  ]);
});
afterAll(() => subject[Symbol.asyncDispose]());

async function write(vectors: readonly (readonly [bigint, Int8Array])[], model = MODEL): Promise<void> {
  const rows = vectors.map(([observationId, vector]) => ({ observationId, vector, digest: digestOf('') }));
  await writeVectors(subject.pool, { model, vectors: rows, gone: [], to: undefined }, 1n);
}

async function rank(query: string, within = filters(), findsFrom: number | 'never' = 0.5) {
  return await subject.index.rank({
    plan: planQuery(query, within, vocabulary, new Date()),
    filters: within,
    companies: 10,
    observationsPerCompany: 3,
    explain: false,
    timeoutMs: undefined,
    meaning: { model: MODEL, vector: EAST, weight: 20, findsFrom: findsFrom === 'never' ? undefined : findsFrom },
  });
}

const idsOf = ({ hits }: Awaited<ReturnType<typeof rank>>) => hits.map(({ observationId }) => observationId);

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
  await write([[41n, EAST]]);
  expect(idsOf(await rank('zeppelins'))).toContain(41n);
  await write([[41n, NORTH]]);
  expect(idsOf(await rank('zeppelins'))).not.toContain(41n);
});

test('a changed observation keeps its vector until it gets another one', async () => {
  await subject.apply({ observations: [observation(31n, 3n, 'closed a chilled depot', { version: 2n })] });
  expect(idsOf(await rank('zeppelins'))).toEqual([11n, 31n, 21n]);
});

test('a vector that was written before its observation is used once the observation is there', async () => {
  await write([[51n, EAST]]);
  await subject.apply({ observations: [observation(51n, 4n, 'planned a tower')] });
  expect(idsOf(await rank('zeppelins'))).toContain(51n);
});

test('vectors of another model neither find nor order', async () => {
  await write([[11n, NORTH]], 'another/1');
  expect(idsOf(await rank('zeppelins'))).toContain(11n);
});

test('vectors affect the order only once nine in ten found documents have one', async () => {
  const ferries = [61n, 71n, 81n];
  await subject.apply({ observations: ferries.map((id, at) => observation(id, BigInt(at + 1), 'ran a ferry')) });
  await write([
    [71n, NORTH],
    [81n, EAST],
  ]);
  expect(idsOf(await rank('ferry', filters(), 'never'))).toEqual([61n, 71n, 81n]);
  await write([[61n, NORTH_EAST]]);
  expect(idsOf(await rank('ferry', filters(), 'never'))).toEqual([81n, 61n, 71n]);
});
