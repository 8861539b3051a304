/** Named after the step just done or about to be done. */
export type CrashPoint =
  | 'accept.inserted'
  | 'accept.reserved'
  | 'run.begun'
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
  | 'outbox.published';

/** Does nothing in production; a test's ends the process. */
export type AtCrashPoint = (point: CrashPoint) => void;
