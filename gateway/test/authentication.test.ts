import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../test-support/gateway.ts';
import { principalOf } from '../test-support/peers.ts';

const USAGE = '/api/usage';
/**
 * Calls of the ledger may take this long in real time, which a busy machine can keep. Answers are
 * kept for at least six times as long.
 */
const FRESH_MS = 5_000;

/** Starts a gateway with a manual clock and a ledger that counts its requests. */
async function setUp() {
  const clock = { ms: 0 };
  const ledger = { questions: 0, polls: 0, version: 5n, changed: [] as bigint[], status: 'active' };
  const gateway = await startGateway(
    {
      ledger: {
        authenticate: ({ bearer }) => {
          ledger.questions += 1;
          const principal = { ...principalOf(bearer), subscriptionStatus: ledger.status };
          return { principal, version: { epoch: 'one', version: ledger.version } };
        },
        listPrincipalChanges: ({ since }) => {
          ledger.polls += 1;
          const isKnown = since?.epoch === 'one' && since.version <= ledger.version;
          const accountIds = isKnown && since.version < ledger.version ? ledger.changed : [];
          return { now: { epoch: 'one', version: ledger.version }, everything: !isKnown, accountIds };
        },
        getUsageReport: () => {
          throw new Error('no report');
        },
      },
    },
    { now: () => clock.ms, config: { authenticationFreshMs: FRESH_MS, authenticationStaleMs: 30 * FRESH_MS } },
  );
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const statusAt = async (times: number) => {
    clock.ms = times * FRESH_MS;
    return (await gateway.call(USAGE)).status;
  };
  return { ledger, statusAt };
}

test('an unchanged principal is read once; the first call after answers are stale sees a change', async () => {
  const { ledger, statusAt } = await setUp();
  for (let times = 0; times < 5; times += 0.7) expect(await statusAt(times)).toBe(500);
  expect(ledger.questions).toBe(1);
  expect(ledger.polls).toBeGreaterThan(2);
  Object.assign(ledger, { version: 6n, changed: [7n], status: 'past_due' });
  expect(await statusAt(5.9)).toBe(402);
  expect(ledger.questions).toBe(2);
});
