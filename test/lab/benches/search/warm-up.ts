import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from './engine.ts';
import type { GeneratedRecord } from './generated-record.ts';
import { between, COPIED, OLDER, type ReadOutcomes } from './ranking-outcomes.ts';

/** How engines came to rank in their copies. */
export interface WarmUp {
  /** What the copies held at the end: all, the newest months alone, or nothing. */
  readonly held: 'all' | 'newest' | 'nothing';
  readonly seconds: number;
}

const PAUSE_MS = 500;
/** How long a copy is waited for: so long, and for each observation that it has to read on a busy machine, in milliseconds; one that is too large never comes. */
const LEAST_MS = 60_000;
const OBSERVATION_MS = 0.6;
const LONGEST_MS = 300_000;

/** A process reads its copy when it is first searched, and is asked for all there is again and again until it is read. */
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
    const [copied, older] = [seen.get(COPIED) ?? 0, seen.get(OLDER) ?? 0];
    const held = copied === engines.length ? 'all' : copied + older === engines.length ? 'newest' : 'nothing';
    if (held !== 'nothing' || performance.now() >= until) return { held, seconds: (performance.now() - begun) / 1000 };
    await pause(PAUSE_MS);
  }
}
