import { integer, type SettingValues } from '../service/settings.ts';
import { LONGEST_LEASE_MS } from './lease-row.ts';

/** How long what one process of many does stays with it. */
export const leadSettings = {
  leadLeaseMs: integer(
    'CES_LEAD_LEASE_MS',
    'how long work that one process of many does stays with a process that falls silent, in milliseconds',
    { default: '10000', min: 300, max: LONGEST_LEASE_MS },
  ),
  leadRenewalMs: integer(
    'CES_LEAD_RENEWAL_MS',
    'pause between renewals of that lease, at most a third of it, in milliseconds; who waits for it looks three times as often',
    { default: '3000', min: 100 },
  ),
};

export type LeadTimes = SettingValues<typeof leadSettings>;

/** The right to be the one process of a database that does some work. */
export interface Lead {
  /** Higher than that of every lead before it; a write that must not come from a process that lost its lead names it. */
  readonly fence: bigint;
  /** Aborted with LeadLost once the lease may have ended. */
  readonly signal: AbortSignal;
}

/** One process's claim to one lease. */
export interface Candidacy extends AsyncDisposable {
  /** The lead, as long as it is certain; undefined while another process has it. */
  readonly lead: Lead | undefined;
}

/** Hears at once of every change. */
export interface LeadListener {
  readonly onLead: () => void;
  readonly onLost: () => void;
}
