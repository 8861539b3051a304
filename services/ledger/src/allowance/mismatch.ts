import { type Amount, equalUnits, exceeds, type Units } from './units.ts';

export interface NamedOperation {
  readonly operationId: bigint;
  /** Never reused, unlike a number after a restore. */
  readonly identity: string;
  /** 0 here or in `subscriptionId`: not stated. */
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
}

export interface KnownOperation {
  readonly identity: string;
  /** Absent on a tombstone without a subscription. */
  readonly subscriptionId: bigint | undefined;
  readonly units: Amount;
  readonly settledUnits?: Units | undefined;
  readonly state: string;
}

type Asking = NamedOperation &
  ({ readonly kind: 'reserve' | 'charge' | 'settle'; readonly units: Units } | { readonly kind: 'release' });

export type MismatchField = 'identity' | 'account' | 'subscription' | 'units';

/**
 * Undefined if both mean the same operation (promise R31). `accountId`: of the hold's subscription.
 */
export function findMismatch(posting: Asking, hold: KnownOperation, accountId: bigint): MismatchField | undefined {
  return findOtherOperation(posting, hold, accountId) ?? (agreesInUnits(posting, hold) ? undefined : 'units');
}

/** Ignores units, and a value that is absent or 0 on either side. */
export function findOtherOperation(
  named: NamedOperation,
  hold: KnownOperation,
  accountId: bigint | undefined,
): MismatchField | undefined {
  if (hold.identity !== named.identity) return 'identity';
  if (hold.subscriptionId === undefined) return undefined;
  if (named.subscriptionId !== 0n && named.subscriptionId !== hold.subscriptionId) return 'subscription';
  if (accountId !== undefined && named.accountId !== 0n && named.accountId !== accountId) return 'account';
  return undefined;
}

/** A repeated reservation may ask for less: settled units, after a restore. */
function agreesInUnits(posting: Asking, { state, units, settledUnits }: KnownOperation): boolean {
  if (posting.kind === 'release' || state === 'refused') return true;
  if (settledUnits === undefined) return posting.kind !== 'reserve' || !exceeds(posting.units, units);
  if (posting.kind === 'reserve') return equalUnits(posting.units, units) || equalUnits(posting.units, settledUnits);
  return equalUnits(posting.units, settledUnits) && isEqualEvidence(posting.units, settledUnits);
}

function isEqualEvidence(a: Units, b: Units): boolean {
  return a.freshEvidenceUnits === b.freshEvidenceUnits;
}
