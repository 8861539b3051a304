import { hash } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AuditService } from '@ces/proto/ces/audit/v1/audit_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ces, type FakeStack, startFakeStack } from '../../test-support/fake-stack.ts';

let stack: FakeStack;
let reason: string | null = null;

function audit(action: string, hour: number, who: string) {
  const at = timestampFromDate(new Date(Date.UTC(2026, 10, 22, hour)));
  const entry = { id: 1n, at, who, role: 'support', reason: 'ticket 12', action, detailJson: '{"subject_id":"4"}' };
  return (router: ConnectRouter) => router.service(AuditService, { listAudit: () => ({ entries: [entry] }) });
}

beforeAll(async () => {
  stack = await startFakeStack({
    ledger: (router) => {
      audit('RevokeCredential', 9, 'alice')(router);
      router.service(LedgerAdminService, {
        createAccount: ({ name }, context) => {
          reason = context.requestHeader.get('x-ces-reason');
          return { account: { id: 4n, name } };
        },
      });
    },
    operations: audit('requeue', 12, 'bob'),
    lookup: audit('withdraw', 11, 'alice'),
    search: audit('rebuild_index', 8, 'alice'),
    acquisition: audit('set_source', 10, 'bob'),
  });
});
afterAll(() => stack[Symbol.asyncDispose]());

test('audit rows of all services are listed together, newest first', async () => {
  const { json, stdout } = await ces(['audit', '--json'], stack.env);
  expect(json()).toMatchObject([
    { service: 'operations', action: 'requeue', who: 'bob' },
    { service: 'lookup', action: 'withdraw', who: 'alice' },
    { service: 'acquisition', action: 'set_source' },
    {
      service: 'ledger',
      action: 'RevokeCredential',
      role: 'support',
      reason: 'ticket 12',
      detail: { subject_id: '4' },
    },
    { service: 'search', action: 'rebuild_index' },
  ]);
  expect(stdout).not.toContain('detail_json');
  const table = (await ces(['audit', '--service', 'ledger', '--limit', '1'], stack.env)).stdout;
  expect(table).toMatch(
    /2026-11-22 09:00:00Z +ledger +alice +support +RevokeCredential +\{"subject_id":"4"\} +ticket 12/,
  );
});

test('a change needs a reason from --reason or CES_REASON, and is not sent without one', async () => {
  const create = ['account', 'create', 'Example'];
  expect(await ces(create, { ...stack.env, CES_REASON: 'as agreed' })).toMatchObject({ exitCode: 0 });
  expect(reason).toBe('as%20agreed');
  expect(await ces([...create, '--reason', 'Zürich'], { ...stack.env, CES_REASON: 'as agreed' })).toMatchObject({
    exitCode: 0,
  });
  expect(reason).toBe('Z%C3%BCrich');
  reason = null;
  for (const blank of ['', '  ']) {
    const { exitCode, stderr } = await ces(create, { ...stack.env, CES_REASON: blank });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('set CES_REASON')]);
  }
  expect(reason).toBeNull();
});

test('a token is drawn for an operator, with the entry that services are given', async () => {
  const { json, exitCode } = await ces(['operator', 'token', 'alice', '--role', 'support', '--json'], {});
  expect(exitCode).toBe(0);
  const { token, entry } = json<{ token: string; entry: string }>();
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(entry).toBe(`alice:support=${hash('sha256', token)}`);
  expect(await ces(['operator', 'token', 'Alice', '--role', 'support'], {})).toMatchObject({ exitCode: 2 });
  expect(await ces(['operator', 'token', 'alice', '--role', 'root'], {})).toMatchObject({ exitCode: 2 });
});
