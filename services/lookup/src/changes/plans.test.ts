import { createPool, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { programLogger } from '@ces/test/support/program-log.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findEvidenceReport } from '../db/evidence-report.ts';
import { PLANNER_SETTINGS } from '../db/planner-settings.ts';
import { hydrate } from '../hydration/hydrate.ts';
import { lookUpByDomains, lookUpByIds } from '../hydration/look-up.ts';
import { findKnownHostnames, findObservation, lookUpObservations } from '../hydration/observation-look-up.ts';
import { appendCompanyChanges, appendObservationChanges } from './change-feed.ts';
import { readCompanyDocuments } from './company-document.ts';
import { readObservationDocuments } from './observation-document.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase('lookup');
  pool = createPool({
    connectionString: database.ownerUrl,
    max: 1,
    applicationName: 'test',
    settings: PLANNER_SETTINGS,
    logger: programLogger('lookup'),
  });
});

afterAll(async () => {
  await pool.end();
});

const RANGE = { since: new Date(0), after: undefined, until: new Date(), limit: 10 };
const SCAN = /(?:Index (?:Only )?Scan(?: Backward)? using \w+|Bitmap Heap Scan|Seq Scan) on \w+(?: \w+)? {2}\(/;
const BY_KEY =
  /^(?:Index Cond|Recheck Cond): \(+(?:\w+\.)?(?:id|company_id|survivor_id|observation_id|hostname|domain_id|company_domain_id)\b/;

async function planOf(run: (db: Queryable) => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const recording = {
    query: async (asked: string | { readonly text: string }) => {
      texts.push(typeof asked === 'string' ? asked : asked.text);
      return { rows: [] };
    },
  };
  await run(recording as unknown as Queryable);
  return await explained(texts[0] ?? '');
}

async function explained(statement: string): Promise<string[]> {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${statement}`);
  return rows.map((row) => row['QUERY PLAN'].trim());
}

test.each<[string, (db: Queryable) => Promise<unknown>]>([
  ['documents of companies', (db) => readCompanyDocuments(db, [1n])],
  ['documents of observations', (db) => readObservationDocuments(db, [1n])],
  ['changes of companies', (db) => appendCompanyChanges(db, [1n], [1n])],
  ['changes of observations', (db) => appendObservationChanges(db, [1n], [1n])],
  ['companies by their domains', (db) => lookUpByDomains(db, ['an.example'])],
  ['companies by their ids', (db) => lookUpByIds(db, [1n])],
  ['references', (db) => hydrate(db, [{ companyId: 1n, observationIds: [1n] }], undefined)],
  ['observations of hostnames', (db) => lookUpObservations(db, ['an.example'], RANGE)],
  ['hostnames', (db) => findKnownHostnames(db, ['an.example'])],
  ['observations by their ids', (db) => findObservation(db, 1n)],
  ['reports of observations', (db) => findEvidenceReport(db, 1n)],
])('%s are looked for by their keys, also where the planner met empty tables', async (_what, run) => {
  expectByKeys(await planOf(run));
});

test('references of new rows are checked by an index', async () => {
  await pool.query(
    'create temporary table written (company_id bigint, observation_id bigint, company_domain_id bigint)',
  );
  const { rows } = await pool.query<{ source: string }>(
    `select prosrc as source from pg_proc where proname = 'check_references'`,
  );
  const questions = rows.flatMap(({ source }) =>
    [...source.matchAll(/is_broken := (exists .*?);/gs)].map(([, question]) => question),
  );
  expect(questions).toHaveLength(3);
  for (const question of questions) {
    const plan = await explained(`select ${question}`);
    expectByKeys(plan.filter((line) => !/ on written /.test(line)));
  }
});

function expectByKeys(plan: readonly string[]): void {
  const scans = plan.flatMap((line, at) => (SCAN.test(line) ? [{ line, condition: plan[at + 1] ?? '' }] : []));
  expect(scans).not.toEqual([]);
  for (const { line, condition } of scans) {
    expect(condition, line).toMatch(BY_KEY);
    if (/^.*(?:choice|demand_class)/.test(line)) expect(condition, line).toMatch(/\(company_id = /);
    if (/using .* on observation/.test(line) && /\(id = /.test(condition)) expect(line).toMatch(/pkey/);
  }
}
