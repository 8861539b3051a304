import { inTransaction } from '@ces/chassis/postgres/pool';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filters, instant, observation } from '../../../../test-support/documents.ts';
import { openPostgresIndex, type PostgresIndexUnderTest } from '../../../../test-support/postgres-index.ts';
import { indexedFilterConditions } from './filter-sql.ts';
import { Parameters } from './parameters.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const OPENINGS_IN_CANADA = filters({ kinds: [Kind.FACILITY_EXPANSION], countries: [Country.CA] });
const KINDS = [Kind.FACILITY_EXPANSION, Kind.PARTNERSHIP, Kind.JOB_POSTING, Kind.FUNDING_ROUND];
const DATES = ['2009-05-05', '2023-05-05', '2026-10-01'].map((day) => instant(`${day}T00:00:00Z`));

let subject: PostgresIndexUnderTest;
beforeEach(async () => {
  subject = await openPostgresIndex({ clock: { now: () => NOW } });
  const observations = Array.from({ length: 240 }, (_, at) =>
    observation(BigInt(at + 1), BigInt(at + 1), 'battery plant', {
      kind: KINDS[at % 4] ?? Kind.PARTNERSHIP,
      country: at % 5 === 0 ? Country.CA : Country.US,
      occurredAt: DATES[at % DATES.length],
    }),
  );
  await subject.apply({ observations });
});
afterEach(() => subject[Symbol.asyncDispose]());

interface PlanNode {
  readonly 'Index Cond'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

async function planOf(conditions: string, values: readonly unknown[]): Promise<PlanNode[]> {
  return await inTransaction(subject.pool, async (client) => {
    await client.query('set local enable_seqscan = off');
    const { rows } = await client.query(
      `explain (analyze, format json) select observation_id from entry e where ${conditions} and e.text @@ 'batteri'`,
      [...values],
    );
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  });
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

test('the index of words answers kind and country in every partition, so that no row is read to be left out', async () => {
  const parameters = new Parameters();
  const partitioning = { boundary: new Date('2025-11-01T00:00:00Z'), now: NOW };
  const conditions = indexedFilterConditions(OPENINGS_IN_CANADA, 'e', partitioning, parameters);
  const nodes = await planOf(conditions, parameters.values);
  const ofIndexes = nodes.flatMap((node) => node['Index Cond'] ?? []);
  const read = nodes.filter((node) => node['Relation Name'] !== undefined && node['Actual Rows'] !== 0);
  expect(read).toHaveLength(DATES.length);
  expect(
    ofIndexes.filter((condition) => condition.includes('@@') && condition.includes('&&')).length,
  ).toBeGreaterThanOrEqual(DATES.length);
  expect(read.reduce((sum, node) => sum + (node['Actual Rows'] ?? 0), 0)).toBe(12);
  expect(read.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0)).toBe(0);
});
