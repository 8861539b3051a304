import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../test-support/gateway.ts';
import { principalOf } from '../test-support/peers.ts';

const USAGE = '/api/usage';

/** Starts a gateway with a manual clock and a ledger that counts its requests. */
async function setUp({ isOld = false } = {}) {
  const clock = { ms: 0 };
  const ledger = { questions: 0, polls: 0, version: 5n, changed: [] as bigint[], status: 'active' };
  const gateway = await startGateway(
    {
      ledger: {
        authenticate: ({ bearer }) => {
          ledger.questions += 1;
          const principal = { ...principalOf(bearer), subscriptionStatus: ledger.status };
          return isOld ? { principal } : { principal, version: { epoch: 'one', version: ledger.version } };
        },
        ...(!isOld && {
          listPrincipalChanges: ({ since }) => {
            ledger.polls += 1;
            const isKnown = since?.epoch === 'one' && since.version <= ledger.version;
            const accountIds = isKnown && since.version < ledger.version ? ledger.changed : [];
            return { now: { epoch: 'one', version: ledger.version }, everything: !isKnown, accountIds };
          },
        }),
        getUsageReport: () => {
          throw new Error('no report');
        },
      },
    },
    { now: () => clock.ms },
  );
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const statusAt = async (ms: number) => {
    clock.ms = ms;
    return (await gateway.call(USAGE)).status;
  };
  return { ledger, statusAt };
}

test('who has not changed is asked for once; a change is seen by the first call that is a second younger', async () => {
  const { ledger, statusAt } = await setUp();
  for (let ms = 0; ms < 10_000; ms += 700) expect(await statusAt(ms)).toBe(500);
  expect(ledger.questions).toBe(1);
  expect(ledger.polls).toBeGreaterThan(5);
  Object.assign(ledger, { version: 6n, changed: [7n], status: 'past_due' });
  expect(await statusAt(11_000)).toBe(402);
  expect(ledger.questions).toBe(2);
});

test('a ledger of the release before is asked once a second', async () => {
  const { ledger, statusAt } = await setUp({ isOld: true });
  for (let ms = 0; ms < 5_000; ms += 500) expect(await statusAt(ms)).toBe(500);
  expect(ledger.questions).toBe(5);
});
