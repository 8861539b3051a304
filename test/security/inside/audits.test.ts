import { hash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { run } from '@ces/cli/program';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { companyRecord, observationRecord } from '../../support/record.ts';
import { startTestStack, type TestStack, tokenOf } from '../../support/stack.ts';

// Every bulk operation leaves an audit row with actor and reason, in every service (decision 0042).

const SERVICES = ['ledger', 'operations', 'lookup', 'search', 'acquisition'] as const;
const TOKEN = 'token-of-olga';
const REASON = 'after the fire';

let stack: TestStack;

beforeAll(async () => {
  const operators = `olga:operator=${hash('sha256', TOKEN)}`;
  stack = await startTestStack({ acquisition: {}, env: { CES_RPC_OPERATORS: operators } });
});
afterAll(() => stack[Symbol.asyncDispose]());

function addresses(): Record<string, string> {
  const known = stack.environmentOf('gateway');
  return Object.fromEntries(
    SERVICES.map((name) => name.toUpperCase()).map((name) => [`CES_${name}_URL`, known[`CES_${name}_URL`] ?? '']),
  );
}

function at(service: (typeof SERVICES)[number]) {
  return {
    url: addresses()[`CES_${service.toUpperCase()}_URL`] ?? '',
    callerToken: TOKEN,
    reason: REASON,
    timeoutMs: 30_000,
  };
}

interface Row {
  readonly service: string;
  readonly who: string;
  readonly role: string;
  readonly reason: string;
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The rows of `ces audit`, oldest first, without the sources that acquisition registers itself. */
async function audit(): Promise<Row[]> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const env = { ...addresses(), CES_RPC_TOKEN: TOKEN };
  const signal = new AbortController().signal;
  expect(await run(['audit', '--limit', '1000', '--json'], { env, stdout, stderr, signal })).toBe(0);
  stdout.end();
  const rows = JSON.parse(await text(stdout)) as Row[];
  return rows.filter(({ action }) => action !== 'register_source').toReversed();
}

async function rowsOf(work: () => Promise<unknown>): Promise<unknown[]> {
  const before = (await audit()).length;
  await work();
  const rows = (await audit()).slice(before);
  for (const row of rows) expect(row).toMatchObject({ who: 'olga', role: 'operator', reason: REASON });
  return rows.map(({ service, action, detail }) => [service, action, detail]);
}

test('comparing with the ledger and rebuilding the index leave a row', async () => {
  const reconcile = () => createRpcClient(OperationsAdminService, at('operations')).reconcileLedger({});
  expect(await rowsOf(reconcile)).toEqual([['operations', 'reconcile', {}]]);
  const rebuild = () => createRpcClient(SearchAdminService, at('search')).rebuildIndex({});
  expect(await rowsOf(rebuild)).toEqual([['search', 'rebuild_index', {}]]);
});

test('imports of operators write an audit row for each batch that changed something, and records of programs none', async () => {
  const company = companyRecord({ key: 'c' });
  const observation = observationRecord({ key: 'o', companyKey: 'c', kind: Kind.PROCUREMENT_REQUEST });
  const closing = {
    ...{ key: 'x', kind: Kind.PROCUREMENT_REQUEST, sourceUri: 'https://example.com/w-1' },
    ...{ eventIdentifiers: [{ scheme: 'solicitation', value: 'W-1' }], closedAt: timestampFromDate(new Date()) },
  };
  const importAll = async (record: Pick<TestStack, 'record'>['record'], source: string) => {
    const { companies } = await record.recordCompanies({ source, companies: [company] });
    const { observations } = await record.recordEvidence({ source, observations: [observation] });
    const { closings } = await record.recordClosings({ source, closings: [closing] });
    expect([...companies, ...observations, ...closings].map(({ reason }) => reason)).toEqual(['', '', '']);
  };
  const olga = createRpcClient(RecordService, at('lookup'));
  const batch = { source: 'corpus', created: 1, amended: 0 };
  expect(await rowsOf(() => importAll(olga, 'corpus'))).toEqual([
    ['lookup', 'record_companies', batch],
    ['lookup', 'record_evidence', batch],
    ['lookup', 'record_closings', batch],
  ]);
  expect(await rowsOf(() => importAll(olga, 'corpus'))).toEqual([]);
  const acquisition = createRpcClient(RecordService, {
    ...at('lookup'),
    callerToken: tokenOf('acquisition'),
    reason: undefined,
  });
  expect(await rowsOf(() => importAll(acquisition, 'other'))).toEqual([]);
});

test('the steps after a restore write an audit row at each service', async () => {
  const restoreAll = async () => {
    for (const name of SERVICES) await createRpcClient(RestoreService, at(name)).afterRestore({});
  };
  const rows = (await rowsOf(restoreAll)) as [string, string, object][];
  expect(rows.map(([service, action]) => [service, action.toLowerCase().replace('_', '')])).toEqual(
    SERVICES.map((name) => [name, 'afterrestore']),
  );
});
