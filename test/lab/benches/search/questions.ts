import type { BuiltEngine } from './engine.ts';
import type { FilterClass } from './filter-classes.ts';

/** How many of the first hits are compared. */
export const COMPARED = 50;

/** What an engine did with all queries inside a filter class, in milliseconds. */
export interface Answers {
  readonly within: string;
  readonly engine: string;
  readonly times: readonly number[];
  readonly processor: readonly number[];
  /** Share of the first hits of the first index alone that this engine has among its own; undefined where it is not compared. */
  readonly overlap: number | undefined;
}

/** Asks every engine every query inside a filter class; the first is the one that the others are compared with. */
export async function askEngines(
  built: readonly BuiltEngine[],
  queries: readonly (readonly string[])[],
  within: FilterClass,
): Promise<Answers[]> {
  const answers: Answers[] = [];
  let ours: readonly (readonly number[])[] | undefined;
  for (const { engine, clock } of built) {
    const { times, processor, found } = await askAll({ engine, clock }, queries, within);
    const overlap = ours && overlapOf(ours, found);
    ours ??= found;
    answers.push({ within: within.name, engine: engine.name, times, processor, overlap });
  }
  return answers;
}

/** The first query runs twice, so that none pays for a cold start. */
async function askAll(
  { engine, clock }: Pick<BuiltEngine, 'engine' | 'clock'>,
  queries: readonly (readonly string[])[],
  within: FilterClass,
) {
  const times: number[] = [];
  const processor: number[] = [];
  const found: (readonly number[])[] = [];
  await engine.ask(queries[0] ?? [], within);
  for (const words of queries) {
    const used = clock();
    const begun = performance.now();
    const answer = await engine.ask(words, within);
    times.push(performance.now() - begun);
    processor.push(clock() - used);
    found.push(answer());
  }
  return { times, processor, found };
}

function overlapOf(ours: readonly (readonly number[])[], theirs: readonly (readonly number[])[]): number | undefined {
  const shares = ours.flatMap((ids, at) => {
    const first = new Set(ids.slice(0, COMPARED));
    const other = (theirs[at] ?? []).slice(0, COMPARED);
    return other.length === 0 ? [] : [other.filter((id) => first.has(id)).length / other.length];
  });
  return shares.length === 0 ? undefined : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
