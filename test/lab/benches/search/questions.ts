import type { BuiltEngine } from './engine.ts';
import type { FilterClass } from './filter-classes.ts';

export const COMPARED = 50;
const WARM_UP_QUERIES = 40;

export interface Answers {
  readonly within: string;
  readonly engine: string;
  readonly hasContext: boolean;
  readonly times: readonly number[];
  readonly processor: readonly number[];
  /**
   * Mean share of the reference's first hits among this engine's. The reference is the first engine
   * with the same `hasContext`. Undefined if not compared.
   */
  readonly overlap: number | undefined;
}

type Asked = Pick<Answers, 'times' | 'processor'> & {
  readonly found: readonly (readonly number[])[];
};

/**
 * Runs every query on every engine. The first engine with context and the first without are the
 * references.
 */
export async function askEngines(
  built: readonly BuiltEngine[],
  queries: readonly (readonly string[])[],
  within: FilterClass,
): Promise<Answers[]> {
  const answers: Answers[] = [];
  const ours = new Map<boolean, Asked['found']>();
  for (const { engine, clock } of built) {
    const { found, ...asked } = await askAll({ engine, clock }, queries, within);
    const { name, hasContext } = engine;
    const first = ours.get(hasContext);
    const overlap = first && overlapOf(first, found);
    if (!first) ours.set(hasContext, found);
    answers.push({ within: within.name, engine: name, hasContext, overlap, ...asked });
  }
  return answers;
}

/** Runs the first queries twice to exclude cold starts and JIT compilation. */
async function askAll(
  { engine, clock }: Pick<BuiltEngine, 'engine' | 'clock'>,
  queries: readonly (readonly string[])[],
  within: FilterClass,
): Promise<Asked> {
  const times: number[] = [];
  const processor: number[] = [];
  const found: (readonly number[])[] = [];
  for (const words of queries.slice(0, WARM_UP_QUERIES)) await engine.ask(words, within);
  for (const words of queries) {
    const used = clock();
    const begun = performance.now();
    const { ids } = await engine.ask(words, within);
    times.push(performance.now() - begun);
    processor.push(clock() - used);
    found.push(ids());
  }
  return { times, processor, found };
}

/** Mean share of their first results that are in ours. Undefined if theirs are empty. */
function overlapOf(ours: readonly (readonly number[])[], theirs: readonly (readonly number[])[]): number | undefined {
  const shares = ours.flatMap((ids, at) => {
    const first = new Set(ids.slice(0, COMPARED));
    const other = (theirs[at] ?? []).slice(0, COMPARED);
    return other.length === 0 ? [] : [other.filter((id) => first.has(id)).length / other.length];
  });
  return shares.length === 0 ? undefined : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
