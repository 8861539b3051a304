import { setTimeout as pause, setImmediate as untilRead } from 'node:timers/promises';

/** Data that arrived while the process was blocked still counts. */
export async function resolvesWithin(ms: number, asked: Promise<unknown>): Promise<boolean> {
  let outcome: boolean | undefined;
  const answered = asked.then(
    () => {
      outcome = true;
    },
    () => {
      outcome = false;
    },
  );
  const enough = new AbortController();
  const passed = pause(ms, undefined, { signal: enough.signal }).catch(() => undefined);
  await Promise.race([answered, passed]);
  // Node runs timers before socket reads, so a blocked process must first read what has arrived.
  if (outcome === undefined) await untilRead();
  enough.abort();
  return outcome ?? false;
}
