/**
 * Ends the process by SIGKILL when `CES_CRASH_AT` names this point, so that tests can crash a service between any two steps.
 * `CES_CRASH_AT=name` crashes at the first passage; `name:3` at the third.
 */
export function crashPoint(name: CrashPoint): void {
  if (!ARMED || ARMED.name !== name) return;
  passages += 1;
  if (passages === ARMED.passage) process.kill(process.pid, 'SIGKILL');
}

/** The places of reliability.md 2.2. */
export type CrashPoint =
  | 'accept.inserted'
  | 'accept.reserved'
  | 'run.claimed'
  | 'run.searched'
  | 'run.before_stored'
  | 'run.stored'
  | 'withdraw.marked'
  | 'withdraw.released'
  | 'settle.before'
  | 'settle.after'
  | 'deliver.before_marked'
  | 'charge.before_insert'
  | 'charge.inserted'
  | 'charge.replied'
  | 'sweep.before_release'
  | 'sweep.after_release'
  | 'relay.rung';

let passages = 0;
const ARMED = armedPoint(process.env.CES_CRASH_AT);

function armedPoint(text: string | undefined): { name: string; passage: number } | undefined {
  if (!text) return undefined;
  const [name = '', passage = '1'] = text.split(':');
  return { name, passage: Number(passage) };
}
