import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { StartupError } from '../service/lifecycle.ts';
import type { Logger } from '../telemetry/log.ts';
import type { PostgresTls } from './connection.ts';
import type { Candidacy, LeadListener, LeadTimes } from './lead.ts';
import { createLeaseMeters } from './lease-meters.ts';
import { createPool } from './pool.ts';
import { SoughtLease } from './sought-lease.ts';

export interface LeasesOptions extends LeadTimes, PostgresTls {
  readonly databaseUrl: string;
  /** What the database and metrics call the service. */
  readonly applicationName: string;
  readonly logger: Logger;
}

/** The leases of a process, over connections of their own: a pool without a free connection loses none. */
export interface Leases extends AsyncDisposable {
  /** What `processOfHolder` returns of the holders of its leases. */
  readonly process: string;
  /** Asks for a lease until disposed. Those who seek one name share the lease, which is given back at once when the last is disposed. */
  seek(name: string, listener: LeadListener): Candidacy;
}

/** Between what names a process and the number of its seeking, in the holder of a lease. */
const SEEKING = '#';

/** What the holders of all leases of a process have in common, and of no other. */
export function processOfHolder(holder: string): string {
  return holder.split(SEEKING, 1)[0] ?? holder;
}

/** Connections for leases: one is enough, the second is for while the first is silent. */
const CONNECTIONS = 2;

/**
 * Leases as rows on the database's clock, renewed on a timer of their own (decision 0006, promise R30). No session is
 * needed: each taking and renewal is one statement.
 */
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
  const sought = new Map<string, SoughtLease>();
  const own = [hostname(), process.pid, randomUUID()].join('/');
  let seekings = 0;
  // One that is giving a lease back gives back its own, and not what is sought anew meanwhile.
  const newHolder = () => {
    seekings += 1;
    return `${own}${SEEKING}${seekings}`;
  };
  return {
    process: own,
    seek: (name, listener) => {
      const lease = sought.get(name) ?? new SoughtLease({ ...options, name, holder: newHolder(), pool, meters });
      sought.set(name, lease);
      lease.add(listener);
      return {
        get lead() {
          return lease.lead;
        },
        async [Symbol.asyncDispose]() {
          if (lease.remove(listener) > 0) return;
          sought.delete(name);
          await lease[Symbol.asyncDispose]();
        },
      };
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
