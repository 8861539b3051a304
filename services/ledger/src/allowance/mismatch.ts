import { type Amount, equalUnits, exceeds, type Units } from './units.ts';

/** An operation as a call names it. */
export interface NamedOperation {
  readonly operationId: bigint;
  /** The UUID that is never given twice. */
  readonly identity?: string | undefined;
  /** 0: not said. */
  readonly accountId: bigint;
  /** 0: not said. */
  readonly subscriptionId: bigint;
}

/** An operation as the ledger knows it. */
export interface KnownOperation {
  /** Absent where the call that decided named none. */
  readonly identity?: string | undefined;
  /** Absent on the tombstone of an operation that never named a subscription the ledger knows. */
  readonly subscriptionId: bigint | undefined;
  /** What was asked. */
  readonly units: Amount;
  /** What was settled; absent unless posted. */
  readonly settledUnits?: Units | undefined;
  readonly state: string;
}

type Asking = NamedOperation &
  ({ readonly kind: 'reserve' | 'charge' | 'settle'; readonly units: Units } | { readonly kind: 'release' });

/** In what a call and the ledger disagree about an operation. */
export type MismatchField = 'identity' | 'account' | 'subscription' | 'units';

/**
 * The first thing in which a posting disagrees with the hold that its number names; undefined when it means that operation
 * (promise R31). `accountId` is the account of the hold's subscription.
 */
export function findMismatch(posting: Asking, hold: KnownOperation, accountId: bigint): MismatchField | undefined {
  return findOtherOperation(posting, hold, accountId) ?? (agreesInUnits(posting, hold) ? undefined : 'units');
}

/** The same for what is known without its account: what is absent or 0 on either side says nothing. */
export function findOtherOperation(
  named: NamedOperation,
  hold: KnownOperation,
  accountId: bigint | undefined,
): MismatchField | undefined {
  if (hold.identity !== undefined && named.identity !== undefined && hold.identity !== named.identity)
    return 'identity';
  if (hold.subscriptionId === undefined) return undefined;
  if (named.subscriptionId !== 0n && named.subscriptionId !== hold.subscriptionId) return 'subscription';
  if (accountId !== undefined && named.accountId !== 0n && named.accountId !== accountId) return 'account';
  return undefined;
}

/**
 * A first call decides on units; the same call again asks for the same. A reservation may ask for less than was held, down to
 * what was settled: that is how a delivered operation is said again after a restore.
 */
function agreesInUnits(posting: Asking, { state, units, settledUnits }: KnownOperation): boolean {
  if (posting.kind === 'release' || state === 'refused') return true;
  if (settledUnits === undefined) return posting.kind !== 'reserve' || !exceeds(posting.units, units);
  if (posting.kind === 'reserve') return equalUnits(posting.units, units) || equalUnits(posting.units, settledUnits);
  return equalUnits(posting.units, settledUnits) && isEqualEvidence(posting.units, settledUnits);
}

function isEqualEvidence(a: Units, b: Units): boolean {
  return a.freshEvidenceUnits === b.freshEvidenceUnits;
}
