import { create } from '@bufbuild/protobuf';
import { createPool } from '@ces/chassis/postgres/pool';
import { ClosingRecordSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { createTestDatabase } from '@ces/test/support/database.ts';
import { programLogger } from '@ces/test/support/program-log.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inline, named, recordOne } from '../../test-support/inline.ts';
import { at } from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';
import { findEventCandidates } from './event-key.ts';
import { PLANNER_SETTINGS } from './planner-settings.ts';

/** The search for a number of one company examines fewer observations than this. */
const OTHERS = 60;
const SHORT = { eventIdentifiers: [{ scheme: 'solicitation', value: '2026-001' }] };

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
  const observations = Array.from({ length: OTHERS }, (_, n) => inline(`o ${n}`, named(`Township ${n}`), SHORT));
  await service.record.recordEvidence({ source: 'a', observations });
});

afterAll(() => service[Symbol.asyncDispose]());

test('a number that many companies used before is found for the company that the record names', async () => {
  const buyer = named('Village of Weirbrook');
  const first = await recordOne(service, 'a', inline('late a', buyer, SHORT));
  const second = await recordOne(service, 'a', inline('late b', buyer, SHORT));
  expect(second).toMatchObject({ companyId: first.companyId, observationId: first.observationId });
});

test('and for companies that were merged into it', async () => {
  const [into, from] = [named('Sluice County'), named('County of Sluice')];
  const other = await recordOne(service, 'a', inline('merged a', from, SHORT));
  const { companyId } = await recordOne(service, 'a', into);
  await service.owner.query('update company set survivor_id = $1 where id = $2', [companyId, other.companyId]);
  const second = await recordOne(service, 'a', inline('merged b', into, SHORT));
  expect(second.observationId).toBe(other.observationId);
});

test('an award of that company closes its request and no other', async () => {
  const buyer = named('Hamlet of Penstock');
  const { observationId } = await recordOne(service, 'a', inline('closed', buyer, SHORT));
  const award = create(ClosingRecordSchema, {
    ...{ key: 'award', ...SHORT, company: buyer, closedAt: at('2026-06-01T00:00:00Z') },
    sourceUri: 'https://source.example/award',
  });
  const { closings } = await service.record.recordClosings({ source: 'a', closings: [award] });
  expect(closings[0]?.observationIds).toEqual([observationId]);
});

test('every table is read by a key, also where the planner met empty ones', async () => {
  await using database = await createTestDatabase('lookup');
  const pool = createPool({
    ...{ connectionString: database.ownerUrl, max: 1, applicationName: 'test', settings: PLANNER_SETTINGS },
    logger: programLogger('lookup'),
  });
  const texts: string[] = [];
  const asked = { query: async (text: string) => ({ rows: texts.push(text) && [] }) };
  await findEventCandidates(asked as never, [
    { scheme: 'solicitation', value: '2026001', kind: 'procurement_request', canonicalId: 1n },
  ]);
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${texts[0]}`);
  await pool.end();
  const plan = rows.map((row) => row['QUERY PLAN'].trim());
  const conditions = plan.flatMap((line, index) => (/Scan using \w+ on /.test(line) ? [plan[index + 1]] : []));
  expect(plan.filter((line) => /Seq Scan/.test(line))).toEqual([]);
  expect(conditions.length).toBeGreaterThan(0);
  for (const condition of conditions)
    expect(condition).toMatch(/^Index Cond: \(+(?:scheme|id|observation_id|survivor_id)\b/);
});
