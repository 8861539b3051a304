import fc from 'fast-check';
import { NO_FLOOD_LIMITS } from '../no-flood-limits.ts';
import type { TestStack, TestStackOptions } from '../stack.ts';
import { createSubscriber, type Subscriber } from '../subscriber.ts';
import { volumeOf } from '../volume.ts';

/** Generated calls an endpoint: few in every run of the tests, more in a nightly one, thousands with CES_FUZZ_RUNS. */
const RUNS = Number(process.env.CES_FUZZ_RUNS ?? volumeOf(16, 80, 80));
const SEED = Number(process.env.CES_TEST_SEED ?? Date.now() % 1_000_000);

/** Calls that are under way at a time. */
const AT_ONCE = 4;

const NO_LIMIT = '1000000';

/** Settings of a stack that is called as fast as it answers. */
export const FUZZ_STACK: TestStackOptions = {
  env: {
    ...NO_FLOOD_LIMITS,
    CES_ADDRESS_FAILURES_PER_SECOND: NO_LIMIT,
  },
};

/** Somebody whose allowance does not end. */
export async function wealthySubscriber(stack: TestStack): Promise<Subscriber> {
  const horizons = ['window', 'week', 'period'];
  const names = horizons.flatMap((horizon) => [`${horizon}RequestUnits`, `${horizon}DeliveredUnits`]);
  return await createSubscriber(stack, { limits: Object.fromEntries(names.map((name) => [name, 1_000_000_000n])) });
}

/** Makes generated calls, several at a time, and counts what `call` says of each; prints how to repeat them. */
export async function fuzz<T>(
  name: string,
  calls: fc.Arbitrary<T>,
  call: (value: T) => Promise<string>,
): Promise<Readonly<Record<string, number>>> {
  console.log(`${name}: CES_TEST_SEED=${SEED} CES_FUZZ_RUNS=${RUNS} repeats it`);
  const outcomes: Record<string, number> = {};
  const batch = fc.array(calls, { minLength: AT_ONCE, maxLength: AT_ONCE });
  const property = fc.asyncProperty(batch, async (values) => {
    for (const outcome of await Promise.all(values.map(call))) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  });
  await fc.assert(property, { seed: SEED, numRuns: Math.ceil(RUNS / AT_ONCE) });
  return outcomes;
}
