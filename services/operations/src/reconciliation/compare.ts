import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Movement } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { HoldState, HoldStateSchema, type Units } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Settlement } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';

/** Rows are kept for 400 days by default (decision 0013), a little longer in the ledger. */
const FORGOTTEN_MS = 399 * 24 * 60 * 60 * 1000;

export interface OperationPair {
  readonly operationId: bigint;
  readonly settlement: Settlement | undefined;
  readonly movement: Movement | undefined;
}

/**
 * A sentence each (checks C1 and C2). Holds from before `oldest` must no longer be held. Operations
 * may have deleted rows from before `forgottenBefore`.
 */
export function findDifferences(
  { settlement, movement }: OperationPair,
  oldest: Date,
  forgottenBefore = new Date(oldest.getTime() - FORGOTTEN_MS),
): string[] {
  if (settlement === undefined && movement && isForgotten(movement, forgottenBefore)) return [];
  const [ours, theirs] = [settlement?.operationIdentity, movement?.hold?.operationIdentity];
  if (ours && theirs && ours !== theirs) return differ('identity', ours, theirs);
  return [...compareEntry(settlement, movement), ...compareHold(settlement, movement, oldest)];
}

export function isOpen({ settlement, movement }: OperationPair): boolean {
  const isUnfinished = settlement?.status === Status.PENDING || settlement?.status === Status.PROCESSING;
  return isUnfinished || movement?.hold?.state === HoldState.HELD;
}

function compareEntry(settlement: Settlement | undefined, movement: Movement | undefined): string[] {
  const entry = movement?.entry;
  if (settlement === undefined)
    return entry ? [`the ledger settled ${show(entry.units)} units, operations has no such operation`] : [];
  if (!settlement.metered) return movement ? ['it is not metered, yet the ledger has a movement for it'] : [];
  if (settlement.status === Status.FAILED)
    return entry ? [`it failed, yet the ledger settled ${show(entry.units)} units`] : [];
  if (settlement.status !== Status.DELIVERED) return [];
  if (!entry) return ['it was delivered, yet the ledger has no entry for it'];
  return [
    ...differ('units', show(settlement.units), show(entry.units)),
    ...differ('subscription', settlement.subscriptionId, entry.subscriptionId),
    ...(settlement.units?.deliveredUnits === settlement.storedCompanies
      ? []
      : [`it settled ${settlement.units?.deliveredUnits} delivered units for ${settlement.storedCompanies} companies`]),
  ];
}

function isForgotten({ hold }: Movement, before: Date): boolean {
  if (hold?.createdAt === undefined || hold.state === HoldState.HELD) return false;
  return timestampDate(hold.createdAt) < before;
}

function compareHold(settlement: Settlement | undefined, movement: Movement | undefined, oldest: Date): string[] {
  const hold = movement?.hold;
  if (!movement || !hold) return [];
  if ((hold.state === HoldState.POSTED) !== (movement.entry !== undefined))
    return [`its hold is ${nameOf(hold.state)}, and there is ${movement.entry ? 'an' : 'no'} entry`];
  if (hold.state !== HoldState.HELD) return [];
  if (settlement === undefined) return [`${show(hold.units)} units are held, operations has no such operation`];
  if (settlement.status === Status.FAILED) return [`it failed, yet ${show(hold.units)} units are held`];
  const taken = hold.createdAt && timestampDate(hold.createdAt);
  return taken && taken < oldest ? [`${show(hold.units)} units are held since ${taken.toISOString()}`] : [];
}

function differ(what: string, operations: unknown, ledger: unknown): string[] {
  return operations === ledger ? [] : [`operations says ${what} ${operations}, the ledger ${ledger}`];
}

function nameOf(state: HoldState): string {
  const name = HoldStateSchema.value[state]?.name ?? String(state);
  return name.slice(HoldStateSchema.sharedPrefix?.length ?? 0).toLowerCase();
}

function show(units: Units | undefined): string {
  return `${units?.requestUnits ?? 0}/${units?.deliveredUnits ?? 0}/${units?.freshEvidenceUnits ?? 0}`;
}
