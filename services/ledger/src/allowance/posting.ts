import { admissibleDeliveredUnits, type Shortfall, shortfalls } from './admission.ts';
import { type Standing, withHeld, withoutHeld, withSettled } from './balance-snapshot.ts';
import { CREDENTIAL_REFUSED, type Refusal, SUBSCRIPTION_REFUSED } from './refusal.ts';
import { type Amount, NO_UNITS, type Units } from './units.ts';

/** A request to take units: to hold them, or to charge them at once. */
export interface Admission {
  readonly kind: 'reserve' | 'charge';
  readonly operationId: bigint;
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
  /** 0: none to check. */
  readonly credentialId: bigint;
  readonly units: Units;
}

/** A request to end a hold. */
export type Closing =
  | { readonly kind: 'settle'; readonly operationId: bigint; readonly units: Units }
  | { readonly kind: 'release'; readonly operationId: bigint };

export type Movement = Admission | Closing;

export type HoldState = 'held' | 'posted' | 'void' | 'refused';

/** The credential under which units are taken; 0n: none to check. */
export function credentialOf(movement: Movement): bigint {
  return 'credentialId' in movement ? movement.credentialId : 0n;
}

/** What became of an operation's units. */
export interface Hold {
  readonly operationId: bigint;
  /** Absent on the tombstone of an operation that never named a subscription the ledger knows. */
  readonly subscriptionId: bigint | undefined;
  readonly state: HoldState;
  readonly units: Amount;
  readonly refusal: Refusal | undefined;
}

/** What was read under the lock of the subscription. */
export interface Facts {
  readonly subscriptionId: bigint;
  readonly accountId: bigint;
  readonly status: string;
  readonly standing: Standing;
  /** The operation's hold from an earlier call. */
  readonly hold: Hold | undefined;
  /** True for a credential of the account that is not revoked, and when there is none to check. */
  readonly credentialWorks: boolean;
}

/** What is to be written for a movement. */
export type Decision =
  | { readonly kind: 'known'; readonly hold: Hold }
  | { readonly kind: 'open'; readonly state: 'held' | 'posted'; readonly units: Units }
  | { readonly kind: 'close'; readonly hold: Hold; readonly state: 'posted' | 'void'; readonly units: Units }
  | { readonly kind: 'refuse'; readonly refusal: Refusal; readonly units: Amount }
  | {
      readonly kind: 'overstep';
      readonly missing: readonly Shortfall[];
      readonly admissible: bigint;
      readonly units: Amount;
    }
  | { readonly kind: 'fault'; readonly message: string };

/** Decides one movement (reliability.md 2.3). The first call of an operation decides; later ones hear what it left. */
export function decide(movement: Movement, facts: Facts): Decision {
  const { hold } = facts;
  if (hold?.subscriptionId !== undefined && hold.subscriptionId !== facts.subscriptionId)
    return fault(movement, `belongs to subscription ${hold.subscriptionId}, not ${facts.subscriptionId}`);
  switch (movement.kind) {
    case 'reserve':
      return hold ? { kind: 'known', hold } : admit(movement, facts);
    case 'charge':
      if (hold?.state === 'held' || hold?.state === 'void')
        return fault(movement, `was reserved and is ${hold.state}; only what was never reserved can be charged`);
      return hold ? { kind: 'known', hold } : admit(movement, facts);
    case 'settle':
      return settle(movement, hold);
    case 'release':
      if (hold?.state === 'held') return { kind: 'close', hold, state: 'void', units: NO_UNITS };
      return hold ? { kind: 'known', hold } : fault(movement, 'has no hold');
  }
}

/** The standing after a decision is written. */
export function standingAfter(standing: Standing, decision: Decision): Standing {
  switch (decision.kind) {
    case 'open':
      return decision.state === 'held' ? withHeld(standing, decision.units) : withSettled(standing, decision.units);
    case 'close': {
      const freed = withoutHeld(standing, decision.hold.units);
      return decision.state === 'posted' ? withSettled(freed, decision.units) : freed;
    }
    default:
      return standing;
  }
}

function admit({ kind, accountId, units }: Admission, facts: Facts): Decision {
  if (!facts.credentialWorks) return { kind: 'refuse', refusal: CREDENTIAL_REFUSED, units };
  if (facts.accountId !== accountId || !['active', 'trialing'].includes(facts.status))
    return { kind: 'refuse', refusal: SUBSCRIPTION_REFUSED, units };
  const missing = shortfalls(facts.standing, units);
  if (missing.length > 0)
    return { kind: 'overstep', missing, admissible: admissibleDeliveredUnits(facts.standing, missing), units };
  return { kind: 'open', state: kind === 'reserve' ? 'held' : 'posted', units };
}

function settle(movement: Closing & { kind: 'settle' }, hold: Hold | undefined): Decision {
  const { units } = movement;
  if (hold?.state === 'posted') return { kind: 'known', hold };
  if (hold?.state !== 'held') return fault(movement, hold ? `is ${hold.state} and cannot be settled` : 'has no hold');
  if (units.requestUnits > hold.units.requestUnits || units.deliveredUnits > hold.units.deliveredUnits)
    return fault(movement, 'would settle more units than it holds');
  return { kind: 'close', hold, state: 'posted', units };
}

function fault({ kind, operationId }: Movement, what: string): Decision {
  return { kind: 'fault', message: `${kind}: operation ${operationId} ${what}` };
}
