import { createSubscriber, createTestLedger } from '@ces/ledger/test-support/test-ledger';
import { freePort } from '@ces/servers/ports';
import { expect, test } from 'vitest';
import { startServiceProcess } from '../support/service-process.ts';

async function driftShownAt(port: number): Promise<string | undefined> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return /^ces_ledger_drift(?:\{.*\})? (\d+)/m.exec(metrics)?.[1];
}

test('a counter that was changed by hand shows in ces_ledger_drift after the next reconciliation, until it is mended', async () => {
  await using ledger = await createTestLedger();
  const { subscriptionId } = await createSubscriber(ledger.pool);
  const adminPort = await freePort(0);
  await using _ = await startServiceProcess('ledger', {
    CES_LEDGER_PORT: '0',
    CES_LEDGER_ADMIN_PORT: String(adminPort),
    CES_LEDGER_DATABASE_URL: ledger.url,
    CES_LEDGER_PEPPERS: `test=${'5a'.repeat(32)}`,
    CES_LEDGER_SIGNING_KEYS: `test=${'3c'.repeat(32)}`,
    CES_LEDGER_RECONCILE_MS: '100',
    CES_LOG_LEVEL: 'silent',
  });
  const shown = () => driftShownAt(adminPort);
  await expect.poll(shown).toBe('0');
  const setWeek = (deliveredUnits: number) =>
    ledger.owner.query('update subscription set week_delivered_units = $2 where id = $1', [
      subscriptionId,
      deliveredUnits,
    ]);
  await setWeek(7);
  await expect.poll(shown).toBe('1');
  await setWeek(0);
  await expect.poll(shown).toBe('0');
});
