import type { Attempt } from '../../lab/load/attempt.ts';
import { type Door, lookUp, report, search } from '../../lab/load/client.ts';
import type { LedgerAdmin } from '../../lab/load/subscribers.ts';

export interface Subject {
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
  readonly credentialId: bigint;
  readonly token: string;
}

export interface Change {
  readonly name: string;
  readonly status: 'active' | 'past_due';
  readonly apply: (admin: LedgerAdmin, subject: Subject) => Promise<unknown>;
  readonly call: (door: Door, key: string) => Promise<Attempt>;
  readonly after: { readonly status: number; readonly code?: string };
}

const UNKNOWN_DOMAIN = ['nobody.example'];
const lookUpNobody = (door: Door, key: string) => lookUp(door, UNKNOWN_DOMAIN, key);
/** Reads only the gateway's cached answer. A metered call would ask the ledger again. */
const readReport = (door: Door, key: string) => (door.surface === 'rest' ? report(door) : lookUpNobody(door, key));
const searchLargePage = (door: Door, key: string) => search(door, { query: 'zinc', limit: 30 }, key);

export const CHANGES: readonly Change[] = [
  {
    name: 'revoked',
    status: 'active',
    apply: (admin, { credentialId }) => admin.revokeCredential({ credentialId }),
    call: readReport,
    after: { status: 401, code: 'invalid_api_key' },
  },
  {
    name: 'status lost',
    status: 'active',
    apply: (admin, { subscriptionId }) => admin.updateSubscription({ subscriptionId, status: 'past_due' }),
    call: readReport,
    after: { status: 402, code: 'subscription_required' },
  },
  {
    name: 'status regained',
    status: 'past_due',
    apply: (admin, { subscriptionId }) => admin.updateSubscription({ subscriptionId, status: 'active' }),
    call: readReport,
    after: { status: 200 },
  },
  {
    name: 'smaller plan',
    status: 'active',
    apply: (admin, { subscriptionId }) => admin.updateSubscription({ subscriptionId, plan: 'builder' }),
    call: searchLargePage,
    after: { status: 422, code: 'invalid_search' },
  },
  {
    name: 'smaller page',
    status: 'active',
    apply: (admin, { subscriptionId }) => admin.updateSubscription({ subscriptionId, ownLimits: { pageLimit: 10 } }),
    call: searchLargePage,
    after: { status: 422, code: 'invalid_search' },
  },
  {
    name: 'no allowance',
    status: 'active',
    apply: (admin, { subscriptionId }) =>
      admin.updateSubscription({ subscriptionId, ownLimits: { windowRequestUnits: 0n } }),
    call: lookUpNobody,
    after: { status: 429, code: 'request_limit_reached' },
  },
];
