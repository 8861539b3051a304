import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from './engine.ts';
import type { GeneratedRecord } from './generated-record.ts';
import { between, COPIED, type ReadOutcomes } from './ranking-outcomes.ts';

/** How engines came to rank in their copies. */
export interface WarmUp {
  /** Whether each of them did at the end. */
  readonly isCopied: boolean;
  readonly seconds: number;
}

const PAUSE_MS = 500;
/** How long a copy is waited for: so long, and for each observation that it has to read on a busy machine, in milliseconds; one that is too large never comes. */
const LEAST_MS = 60_000;
const OBSERVATION_MS = 0.6;
const LONGEST_MS = 300_000;

/** A process reads its copy when it is first searched, and is asked again and again until rankings come from there. */
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
    const copied = between(before, await readOutcomes()).get(COPIED) ?? 0;
    const isCopied = copied === engines.length;
    if (isCopied || performance.now() >= until) return { isCopied, seconds: (performance.now() - begun) / 1000 };
    await pause(PAUSE_MS);
  }
}
