import { setTimeout as pause, setImmediate as untilRead } from 'node:timers/promises';

/** Whether `asked` is answered, and not refused, within `ms` milliseconds in which this process could read the answer. */
export async function answersWithin(ms: number, asked: Promise<unknown>): Promise<boolean> {
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
  // Timers come before sockets: a process that was held up reads first what has arrived meanwhile.
  if (outcome === undefined) await untilRead();
  enough.abort();
  return outcome ?? false;
}
