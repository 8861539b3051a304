import { type PeriodicTask, type PeriodicTaskOptions, startPeriodicTask } from '../service/periodic-task.ts';
import type { Lead } from './lead.ts';
import type { Leases } from './lease.ts';

export interface LedTaskOptions extends Omit<PeriodicTaskOptions, 'run'> {
  /** The name of its lease; of all processes over one database the holder runs passes. */
  readonly lease: string;
  /** One pass. The lead's signal aborts when the task is disposed and when the lease may have ended. */
  readonly run: (lead: Lead) => Promise<void>;
  /** Called once after the last pass under a lead: it was lost, or the task is disposed. */
  readonly onEnd?: () => Promise<void>;
}

/**
 * A periodic task that one process of many runs, for as long as it leads; with `immediately` also as soon as it does. What
 * a pass writes must do no harm from a process that lost its lead unseen, or name the lead's fence. Disposal waits for
 * the pass in hand and gives the lease back, so that the next process leads at once.
 */
export function startLedTask(leases: Leases, options: LedTaskOptions): PeriodicTask {
  const { lease, run, immediately, onEnd, ...periodic } = options;
  let ledUnder: bigint | undefined;
  const end = async () => {
    if (ledUnder === undefined) return;
    ledUnder = undefined;
    await onEnd?.();
  };
  const task = startPeriodicTask({
    ...periodic,
    async run(signal) {
      const { lead } = candidacy;
      if (lead?.fence !== ledUnder) await end();
      if (!lead) return;
      ledUnder = lead.fence;
      await run({ fence: lead.fence, signal: AbortSignal.any([signal, lead.signal]) });
    },
  });
  const candidacy = leases.seek(lease, {
    onLead: () => {
      if (immediately) task.wake();
    },
    onLost: () => task.wake(),
  });
  return {
    wake: () => task.wake(),
    async [Symbol.asyncDispose]() {
      await task[Symbol.asyncDispose]();
      await end();
      await candidacy[Symbol.asyncDispose]();
    },
  };
}
