import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { WorkTools } from './actions/action.ts';
import type { Config } from './config.ts';
import type { Runs } from './execution/run-pool.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Endings } from './operation/completion-notifier.ts';
import type { Deliveries } from './operation/delivery-batcher.ts';
import type { Meters } from './telemetry/meters.ts';

/** What taking an operation from one step to the next needs. */
export interface StepTools {
  readonly pool: Pool;
  readonly logger: Logger;
  readonly ledger: Ledger;
  readonly deliveries: Deliveries;
  readonly endings: Endings;
  readonly meters: Meters;
}

/** What running an operation needs. */
export interface RunTools extends StepTools {
  readonly config: Config;
  readonly work: WorkTools;
  /** This process among all that claim work. */
  readonly owner: string;
}

/** What an RPC needs. */
export interface Dependencies extends RunTools {
  readonly runs: Runs;
  /** Aborted when the process begins to stop: nobody is kept waiting any longer. */
  readonly draining: AbortSignal;
  /** Has work that is due taken at once: by this process if it has a worker free, else by whoever hears the bell. */
  readonly findWorker: () => void;
}
