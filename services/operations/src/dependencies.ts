import type { RunDependencies } from './execution/execute.ts';
import type { RunPool } from './execution/run-pool.ts';

/** What an RPC needs. */
export interface Dependencies extends RunDependencies {
  readonly runPool: RunPool;
  /** Aborted when the process begins to stop: no caller is kept waiting any longer. */
  readonly draining: AbortSignal;
  /** Has due jobs taken at once: by this process if it has a worker free, else by a process that a message wakes. */
  readonly dispatch: () => void;
}
