import { type PeriodicTask, type PeriodicTaskOptions, startPeriodicTask } from '../service/periodic-task.ts';
import type { Lead } from './lead.ts';
import type { Leases } from './lease.ts';

export interface LeaderTaskOptions extends Omit<PeriodicTaskOptions, 'run'> {
  readonly lease: string;
  /** The signal aborts on disposal and once the lease may have expired. */
  readonly run: (lead: Lead) => Promise<void>;
  /** Called after the last pass under a lead, on loss or disposal. */
  readonly onEnd?: () => Promise<void>;
}

/**
 * A former leader may still write, so writes must be harmless then or check the fence. Disposal
 * waits for the current pass and releases the lease. `immediately` starts a pass with the lead.
 */
export function startLeaderTask(leases: Leases, options: LeaderTaskOptions): PeriodicTask {
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
  const candidacy = leases.campaign(lease, {
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
