import { admissibleDeliveredUnits, type Shortfall, shortfalls } from './admission.ts';
import { type BalanceSnapshot, withHeld, withoutHeld, withSettled } from './balance-snapshot.ts';
import { findMismatch, type KnownOperation, type MismatchField, type NamedOperation } from './mismatch.ts';
import { CREDENTIAL_REFUSED, type Refusal, SUBSCRIPTION_REFUSED, TOO_OLD } from './refusal.ts';
import { type Amount, exceeds, NO_UNITS, type Units } from './units.ts';

/** A reservation holds units; a charge settles them at once. */
export interface Admission extends NamedOperation {
  readonly kind: 'reserve' | 'charge';
  /** 0: no credential to check. */
  readonly credentialId: bigint;
  readonly units: Units;
  /** The limits must leave this many, if it exceeds `units`. */
  readonly worstCaseDeliveredUnits?: bigint;
  /** The ledger admitted it once and a restore may have lost that: no age limit applies. */
  readonly admittedBefore?: boolean;
}

type Closing = NamedOperation & ({ readonly kind: 'settle'; readonly units: Units } | { readonly kind: 'release' });

export type Posting = Admission | Closing;

export function isAdmission(posting: Posting): posting is Admission {
  return posting.kind === 'reserve' || posting.kind === 'charge';
}

export type HoldState = 'held' | 'posted' | 'void' | 'refused';

export function credentialOf(posting: Posting): bigint {
  return 'credentialId' in posting ? posting.credentialId : 0n;
}

export interface Hold extends KnownOperation {
  readonly operationId: bigint;
  readonly state: HoldState;
  readonly refusal: Refusal | undefined;
}

/** Read under the row lock of the subscription. */
export interface PostingContext {
  readonly subscriptionId: bigint;
  readonly accountId: bigint;
  readonly status: string;
  readonly balance: BalanceSnapshot;
  readonly hold: Hold | undefined;
  readonly refusalsDeletedTo: bigint;
  /** Belongs to the account and is valid, or there is none. */
  readonly credentialActive: boolean;
}

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
  | { readonly kind: 'mismatch'; readonly field: MismatchField }
  | { readonly kind: 'fault'; readonly message: string };

/** The first call of an operation decides; later ones get its outcome. */
export function decide(posting: Posting, facts: PostingContext): Decision {
  const { hold } = facts;
  const field = hold && (findMismatch(posting, hold, facts.accountId) ?? findOtherLock(hold, facts));
  if (field) return { kind: 'mismatch', field };
  switch (posting.kind) {
    case 'reserve':
      return hold ? { kind: 'known', hold } : admit(posting, facts);
    case 'charge':
      if (hold?.state === 'held' || hold?.state === 'void')
        return fault(posting, `was reserved and is ${hold.state}; only what was never reserved can be charged`);
      return hold ? { kind: 'known', hold } : admit(posting, facts);
    case 'settle':
      return settle(posting, hold);
    case 'release':
      if (hold?.state === 'held') return { kind: 'close', hold, state: 'void', units: NO_UNITS };
      return hold ? { kind: 'known', hold } : fault(posting, 'has no hold');
  }
}

/** A hold never ends under another subscription's lock. */
function findOtherLock({ subscriptionId }: Hold, facts: PostingContext): MismatchField | undefined {
  return subscriptionId === undefined || subscriptionId === facts.subscriptionId ? undefined : 'subscription';
}

export function balanceAfter(balance: BalanceSnapshot, decision: Decision): BalanceSnapshot {
  switch (decision.kind) {
    case 'open':
      return decision.state === 'held' ? withHeld(balance, decision.units) : withSettled(balance, decision.units);
    case 'close': {
      const freed = withoutHeld(balance, decision.hold.units);
      return decision.state === 'posted' ? withSettled(freed, decision.units) : freed;
    }
    default:
      return balance;
  }
}

function admit(admission: Admission, facts: PostingContext): Decision {
  const { kind, accountId, units, worstCaseDeliveredUnits = 0n } = admission;
  if (isTooOld(admission, facts)) return { kind: 'refuse', refusal: TOO_OLD, units };
  if (!facts.credentialActive) return { kind: 'refuse', refusal: CREDENTIAL_REFUSED, units };
  if (facts.accountId !== accountId || !['active', 'trialing'].includes(facts.status))
    return { kind: 'refuse', refusal: SUBSCRIPTION_REFUSED, units };
  const deliveredUnits =
    worstCaseDeliveredUnits > units.deliveredUnits ? worstCaseDeliveredUnits : units.deliveredUnits;
  const asked = { ...units, deliveredUnits };
  const missing = shortfalls(facts.balance, asked);
  if (missing.length > 0)
    return { kind: 'overstep', missing, admissible: admissibleDeliveredUnits(facts.balance, missing), units: asked };
  return { kind: 'open', state: kind === 'reserve' ? 'held' : 'posted', units };
}

function isTooOld({ operationId, admittedBefore = false }: Admission, { refusalsDeletedTo }: PostingContext): boolean {
  return operationId <= refusalsDeletedTo && !admittedBefore;
}

function settle(posting: Closing & { kind: 'settle' }, hold: Hold | undefined): Decision {
  const { units } = posting;
  if (hold?.state === 'posted') return { kind: 'known', hold };
  if (hold?.state !== 'held') return fault(posting, hold ? `is ${hold.state} and cannot be settled` : 'has no hold');
  if (exceeds(units, hold.units)) return fault(posting, 'would settle more units than it holds');
  return { kind: 'close', hold, state: 'posted', units };
}

function fault({ kind, operationId }: Posting, what: string): Decision {
  return { kind: 'fault', message: `${kind}: operation ${operationId} ${what}` };
}
