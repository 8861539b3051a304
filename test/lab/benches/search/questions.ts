import type { ProcessorClock } from './costs.ts';
import type { FilterClass } from './filter-classes.ts';
import type { Engine } from './own-engine.ts';

const WARM_UP_QUERIES = 40;

export interface Answers {
  readonly within: string;
  readonly engine: string;
  readonly times: readonly number[];
  readonly processor: readonly number[];
}

/** Runs the first queries twice to exclude cold starts and JIT compilation. */
export async function askAll(
  { engine, clock }: { readonly engine: Engine; readonly clock: ProcessorClock },
  queries: readonly (readonly string[])[],
  within: FilterClass,
): Promise<Answers> {
  const [times, processor]: [number[], number[]] = [[], []];
  for (const words of queries.slice(0, WARM_UP_QUERIES)) await engine.ask(words, within);
  for (const words of queries) {
    const [used, begun] = [clock(), performance.now()];
    await engine.ask(words, within);
    times.push(performance.now() - begun);
    processor.push(clock() - used);
  }
  return { within: within.name, engine: engine.name, times, processor };
}
