import type { CallerLimits } from '@ces/chassis/limits/caller-limits';
import type { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { RunDependencies } from './execution/execute.ts';
import type { RunPool } from './execution/run-pool.ts';
import type { Principals } from './principal/principals.ts';

export interface Dependencies extends RunDependencies {
  readonly ledgerAdmin: Pick<Client<typeof LedgerAdminService>, 'listMovements'>;
  readonly principals: Principals;
  readonly runPool: RunPool;
  readonly callerLimits: CallerLimits;
  /** When the process begins to stop: calls then stop waiting. */
  readonly draining: AbortSignal;
  /** Here if a worker is free, else in a process that a message wakes. */
  readonly dispatch: () => void;
}
