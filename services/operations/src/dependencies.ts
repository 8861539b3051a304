import type { CallerLimits } from '@ces/chassis/limits/caller-limits';
import type { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { RunDependencies } from './execution/execute.ts';
import type { RunPool } from './execution/run-pool.ts';
import type { Principals } from './principal/principals.ts';

/** What an RPC needs. */
export interface Dependencies extends RunDependencies {
  /** What the ledger did, for comparison alone. */
  readonly ledgerAdmin: Pick<Client<typeof LedgerAdminService>, 'listMovements'>;
  /** Who the gateway may name. */
  readonly principals: Principals;
  readonly runPool: RunPool;
  /** Limits of those who call with a bearer. */
  readonly callerLimits: CallerLimits;
  /** Aborted when the process begins to stop: no caller is kept waiting any longer. */
  readonly draining: AbortSignal;
  /** Has due jobs taken at once: by this process if it has a worker free, else by a process that a message wakes. */
  readonly dispatch: () => void;
}
