import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from './engine.ts';
import type { GeneratedRecord } from './generated-record.ts';
import { between, OLDER, RANKED, type ReadOutcomes } from './ranking-outcomes.ts';

export interface WarmUp {
  /** Final content of the memory indexes: all, only the newest months, or nothing. */
  readonly held: 'all' | 'newest' | 'nothing';
  readonly seconds: number;
}

const PAUSE_MS = 500;
/**
 * Deadline for loading a memory index: a minimum, an allowance an observation, and a maximum. An
 * index that exceeds its memory limit never finishes.
 */
const LEAST_MS = 60_000;
const OBSERVATION_MS = 0.6;
const LONGEST_MS = 300_000;

/** The first search makes a process load its memory index. Repeats a query until it has loaded. */
export async function warmUp(
  engines: readonly Engine[],
  record: GeneratedRecord,
  readOutcomes: ReadOutcomes,
): Promise<WarmUp> {
  const within = { name: 'no filter' };
  const [words = []] = record.queries(1);
  const begun = performance.now();
  const until = begun + Math.min(LONGEST_MS, LEAST_MS + record.observations * OBSERVATION_MS);
  for (;;) {
    const before = await readOutcomes();
    for (const engine of engines) await engine.ask(words, within);
    const seen = between(before, await readOutcomes());
    const [ranked, older] = [seen.get(RANKED) ?? 0, seen.get(OLDER) ?? 0];
    const held = ranked === engines.length ? 'all' : ranked + older === engines.length ? 'newest' : 'nothing';
    if (held !== 'nothing' || performance.now() >= until) return { held, seconds: (performance.now() - begun) / 1000 };
    await pause(PAUSE_MS);
  }
}
