import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { StartupError } from '../service/lifecycle.ts';
import type { Logger } from '../telemetry/log.ts';
import type { PostgresTls } from './connection.ts';
import type { Candidacy, LeadListener, LeadTimes } from './lead.ts';
import { LeaderElection } from './leader-election.ts';
import { createLeaseMeters } from './lease-meters.ts';
import { createPool } from './pool.ts';

export interface LeasesOptions extends LeadTimes, PostgresTls {
  readonly databaseUrl: string;
  readonly applicationName: string;
  readonly logger: Logger;
}

/** Separate connections, so that an exhausted pool loses none. */
export interface Leases extends AsyncDisposable {
  /** Until disposed. Candidates of one name share the lease; disposing the last releases it. */
  campaign(name: string, listener: LeadListener): Candidacy;
}

/** One connection is enough; the second serves while the first is silent. */
const CONNECTIONS = 2;

/** Rows that expire by the database's clock (decision 0006, promise R30). They need no session. */
export function createLeases(options: LeasesOptions): Leases {
  const { leadLeaseMs, leadRenewalMs, databaseUrl, applicationName, logger } = options;
  if (leadRenewalMs * 3 > leadLeaseMs)
    throw new StartupError('CES_LEAD_RENEWAL_MS must be at most a third of CES_LEAD_LEASE_MS.');
  const pool = createPool({
    connectionString: databaseUrl,
    tls: options,
    max: CONNECTIONS,
    applicationName: `${applicationName} leases`,
    statementTimeoutMs: leadRenewalMs,
    logger,
  });
  const meters = createLeaseMeters();
  const elections = new Map<string, LeaderElection>();
  const own = [hostname(), process.pid, randomUUID()].join('/');
  let candidacies = 0;
  // Each candidacy has its own holder name, so a late release cannot end a newer lease.
  const newHolder = () => {
    candidacies += 1;
    return `${own}#${candidacies}`;
  };
  return {
    campaign: (name, listener) => {
      const election =
        elections.get(name) ?? new LeaderElection({ ...options, name, holder: newHolder(), pool, meters });
      elections.set(name, election);
      election.add(listener);
      return {
        get lead() {
          return election.lead;
        },
        async [Symbol.asyncDispose]() {
          if (election.remove(listener) > 0) return;
          elections.delete(name);
          await election[Symbol.asyncDispose]();
        },
      };
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
