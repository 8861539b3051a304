import fc from 'fast-check';
import { NO_FLOOD_LIMITS } from '../no-flood-limits.ts';
import type { TestStack, TestStackOptions } from '../stack.ts';
import { createSubscriber, type Subscriber } from '../subscriber.ts';
import { volumeOf } from '../volume.ts';

/** Generated calls an endpoint. CES_FUZZ_RUNS overrides the number, for example with thousands. */
const RUNS = Number(process.env.CES_FUZZ_RUNS ?? volumeOf(16, 80, 80));
const SEED = Number(process.env.CES_TEST_SEED ?? Date.now() % 1_000_000);

const AT_ONCE = 4;

const NO_LIMIT = '1000000';

export const FUZZ_STACK: TestStackOptions = {
  env: {
    ...NO_FLOOD_LIMITS,
    CES_ADDRESS_FAILURES_PER_SECOND: NO_LIMIT,
  },
};

export async function wealthySubscriber(stack: TestStack): Promise<Subscriber> {
  const horizons = ['window', 'week', 'period'];
  const names = horizons.flatMap((horizon) => [`${horizon}RequestUnits`, `${horizon}DeliveredUnits`]);
  return await createSubscriber(stack, { limits: Object.fromEntries(names.map((name) => [name, 1_000_000_000n])) });
}

/**
 * Makes generated calls concurrently and counts the outcomes that `call` returns. Prints the
 * settings that repeat the run.
 */
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
