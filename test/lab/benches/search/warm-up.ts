import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from './engine.ts';
import type { GeneratedRecord } from './generated-record.ts';

const PAUSE_MS = 100;
/** Bounds the load of a memory index: a minimum, and an allowance an observation. */
const LEAST_MS = 60_000;
const OBSERVATION_MS = 0.6;

/** Repeats a query until the engine has loaded its index, and returns the seconds until then. */
export async function warmUp(engine: Engine, record: GeneratedRecord): Promise<number> {
  const [words = []] = record.queries(1);
  const begun = performance.now();
  for (const until = begun + LEAST_MS + record.observations * OBSERVATION_MS; ; await pause(PAUSE_MS))
    try {
      await engine.ask(words, { name: 'no filter' });
      return (performance.now() - begun) / 1000;
    } catch (error) {
      if (performance.now() >= until) throw error;
    }
}
