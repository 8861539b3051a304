/**
 * Share of the volume at which a promise is proven: 1 is all of it, 0.1 a tenth. Without it tests
 * use the small number that every run can afford (test/results).
 */
const SHARE = Number(process.env.CES_TEST_VOLUME ?? 0);

/** Whether tests run at length, as in `npm run nightly`, or briefly, as in `npm test`. */
export const IS_NIGHTLY = process.env.CES_TEST_NIGHTLY === '1' || SHARE > 0;

/** `few`, or `nightly` in the nightly suite, or CES_TEST_VOLUME's share of `all` if it is more. */
export function volumeOf(few: number, all: number, nightly = few): number {
  return Math.max(IS_NIGHTLY ? nightly : few, Math.ceil(all * SHARE));
}

/** `few` of a list, spread over it; all of it in the nightly suite. */
export function someOf<T>(all: readonly T[], few: number): readonly T[] {
  if (IS_NIGHTLY || all.length <= few) return all;
  return Array.from({ length: few }, (_, at) => all[Math.floor((at * all.length) / few)] as T);
}

/** How long a test of such a volume may take, in milliseconds. */
export const VOLUME_TIMEOUT_MS = SHARE > 0 ? 3_600_000 : 90_000;

const SEED = Number(process.env.CES_TEST_SEED ?? Date.now() % 1_000_000);
let printed = false;

/** The seed of this file's tests, printed so that they can be repeated. */
export function printedSeed(): number {
  if (!printed) console.log(`seed ${SEED}: CES_TEST_SEED=${SEED} repeats it`);
  printed = true;
  return SEED;
}
