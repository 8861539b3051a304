import { randomUUID } from 'node:crypto';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { callerSettings } from '@ces/chassis/test-support/accept-tokens';
import { createSubscriber, createTestLedger } from '@ces/ledger/test-support/test-ledger';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { freePort } from '@ces/servers/ports';
import { expect, test } from 'vitest';
import { startServiceProcess } from '../support/service-process.ts';

const UNITS = { requestUnits: 1n, deliveredUnits: 2n };

test('every call that names another operation than the ledger knows is answered so and counted by call and field', async () => {
  await using ledger = await createTestLedger();
  const subscriber = await createSubscriber(ledger.pool);
  const adminPort = await freePort(0);
  await using service = await startServiceProcess('ledger', {
    CES_LEDGER_PORT: '0',
    CES_LEDGER_ADMIN_PORT: String(adminPort),
    CES_LEDGER_DATABASE_URL: ledger.url,
    CES_LEDGER_PEPPERS: `test=${'5a'.repeat(32)}`,
    CES_LEDGER_SIGNING_KEYS: `test=${'3c'.repeat(32)}`,
    ...callerSettings({ operations: 'token-of-operations' }),
    CES_LOG_LEVEL: 'silent',
  });
  const client = createRpcClient(LedgerService, {
    url: service.url,
    callerToken: 'token-of-operations',
    timeoutMs: 10_000,
  });
  const own = { operationId: 7n, operationIdentity: randomUUID(), ...subscriber };
  const other = { ...own, operationIdentity: randomUUID() };
  expect((await client.reserve({ ...own, units: UNITS })).outcome.case).toBe('admitted');
  const reserved = await client.reserve({ ...other, units: UNITS });
  expect(reserved.outcome).toMatchObject({ case: 'mismatch', value: { highestOperationId: 7n } });
  expect((await client.charge({ ...other, units: UNITS })).outcome.case).toBe('mismatch');
  expect(await client.settle({ ...other, units: UNITS })).toMatchObject({ mismatch: { highestOperationId: 7n } });
  expect(await client.release(other)).toMatchObject({ mismatch: { highestOperationId: 7n } });
  expect(await client.reverse({ ...other, reason: 'lost' })).toMatchObject({ mismatch: { highestOperationId: 7n } });
  expect((await client.settle({ ...own, units: UNITS })).mismatch).toBeUndefined();
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const counted = [...metrics.matchAll(/^ces_ledger_mismatches_total\{.*call="(\w+)".*field="identity".*\} (\d+)/gm)];
  expect(Object.fromEntries(counted.map(([, call, count]) => [call, count]))).toEqual({
    ...{ reserve: '1', charge: '1', settle: '1' },
    release: '2',
  });
});
