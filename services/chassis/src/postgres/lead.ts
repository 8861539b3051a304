import { integer, type SettingValues } from '../settings.ts';
import { LONGEST_LEASE_MS } from './lease-row.ts';

export const leadSettings = {
  leadLeaseMs: integer('CES_LEAD_LEASE_MS', 'life of a leader lease without a renewal', {
    default: '10000',
    min: 300,
    max: LONGEST_LEASE_MS,
  }),
  leadRenewalMs: integer('CES_LEAD_RENEWAL_MS', 'pause between renewals of the lease, at most a third of it', {
    default: '3000',
    min: 100,
  }),
};

export type LeadTimes = SettingValues<typeof leadSettings>;

/** The right to be the only process of a database that does certain work. */
export interface Lead {
  /** Grows with each acquisition; writes check it to exclude former leaders. */
  readonly fence: bigint;
  /** Aborts with LeadLost once the lease may have expired. */
  readonly signal: AbortSignal;
}

export interface Candidacy extends AsyncDisposable {
  /** Undefined unless this process certainly holds the lease. */
  readonly lead: Lead | undefined;
}

export interface LeadListener {
  readonly onLead: () => void;
  readonly onLost: () => void;
}
