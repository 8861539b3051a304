import { setTimeout as pause } from 'node:timers/promises';
import { type Attempt, isAnswered } from '../load/attempt.ts';
import {
  type EntryRow,
  type HoldRow,
  type OperationRow,
  readSnapshot,
  type Snapshot,
  type SnapshotAddresses,
} from './snapshot.ts';

interface Matched {
  readonly id: bigint;
  readonly operation: OperationRow | undefined;
  readonly hold: HoldRow | undefined;
  readonly entry: EntryRow | undefined;
}

/**
 * C1: delivered ⇔ posted ⇔ one entry; failed ⇔ void. A refused or withdrawn operation leaves only
 * its hold. A free one leaves nothing.
 */
export function checkMatching(snapshot: Snapshot): string[] {
  return matched(snapshot).flatMap(({ id, operation, hold, entry }) => {
    const found = `${operation?.state ?? 'no operation'}, hold ${hold?.state ?? 'none'}, entry ${entry ? 'one' : 'none'}`;
    return isConsistent(operation, hold, entry) ? [] : [`C1 operation ${id}: ${found}`];
  });
}

function isConsistent(operation?: OperationRow, hold?: HoldRow, entry?: EntryRow): boolean {
  if (!operation) return (hold?.state === 'refused' || hold?.state === 'void') && !entry;
  if (operation.payment === 'none') return !hold && !entry;
  switch (operation.state) {
    case 'delivered':
      return hold?.state === 'posted' && entry !== undefined && operation.failure_code === null;
    case 'failed':
      return hold?.state === 'void' && !entry && operation.failure_code !== null;
    default:
      return false;
  }
}

/** C2: settled units equal the stored results, and each operation has one request unit. */
export function checkUnits(snapshot: Snapshot): string[] {
  return matched(snapshot).flatMap(({ id, operation, hold, entry }) => {
    if (!operation || !entry) return [];
    const faults: string[] = [];
    const say = (what: string) => faults.push(`C2 operation ${id}: ${what}`);
    if (entry.request_units !== 1n) say(`${entry.request_units} request units`);
    if (Number(entry.delivered_units) !== operation.settled_companies)
      say(`${entry.delivered_units} delivered units for ${operation.settled_companies} companies`);
    if (operation.stored_companies !== null && operation.action === 'company_search')
      if (operation.stored_companies !== operation.settled_companies)
        say(`${operation.stored_companies} companies stored, ${operation.settled_companies} settled`);
    if (Number(entry.fresh_evidence_units) > (operation.stored_observations ?? 0)) say('more fresh than delivered');
    const { request_units, delivered_units, fresh_evidence_units } = operation;
    const shown = `${request_units}/${delivered_units}/${fresh_evidence_units}`;
    const settled = `${entry.request_units}/${entry.delivered_units}/${entry.fresh_evidence_units}`;
    if (shown !== settled) say(`shows ${shown}, settled ${settled}`);
    if (hold && (entry.request_units > hold.request_units || entry.delivered_units > hold.delivered_units))
      say('settled above its hold');
    return faults;
  });
}

/** C3: each idempotency key has one operation, and every answered key exists. */
export function checkKeys(snapshot: Snapshot, attempts: readonly Attempt[]): string[] {
  const faults: string[] = [];
  const known = new Map<string, OperationRow>();
  for (const row of snapshot.operations) {
    const name = nameOf(row.account_id, row.action, row.request_key);
    if (known.has(name)) faults.push(`C3 ${name} has two operations`);
    known.set(name, row);
  }
  for (const { accountId, action, key, outcome } of attempts.filter(isAnswered)) {
    if (key === undefined || (outcome.status !== 200 && outcome.status !== 202)) continue;
    const row = known.get(nameOf(accountId, action, key));
    if (!row) faults.push(`C3 key ${key} was answered with ${outcome.status} and has no operation`);
    else if (row.id !== BigInt(outcome.body.usage?.id ?? 0))
      faults.push(`C3 key ${key} was answered as operation ${outcome.body.usage?.id} and is ${row.id}`);
  }
  return faults;
}

/** C4: all operations have ended and no units are held. */
export function checkEnded(snapshot: Snapshot): string[] {
  const open = snapshot.operations.filter(({ state }) => state !== 'delivered' && state !== 'failed');
  const held = snapshot.holds.filter(({ state }) => state === 'held');
  return [
    ...open.map(({ id, state }) => `C4 operation ${id} is ${state}`),
    ...held.map(({ operation_id }) => `C4 operation ${operation_id} holds units`),
    ...(snapshot.jobs > 0 ? [`C4 ${snapshot.jobs} jobs are left`] : []),
  ];
}

/** Resolves once all operations have ended, or after `withinMs`, with the last snapshot. */
export async function untilEnded(addresses: SnapshotAddresses, withinMs: number): Promise<Snapshot> {
  for (const deadline = performance.now() + withinMs; ; await pause(250)) {
    const snapshot = await readSnapshot(addresses);
    if (checkEnded(snapshot).length === 0 || performance.now() > deadline) return snapshot;
  }
}

function matched({ operations, holds, entries }: Snapshot): readonly Matched[] {
  const byId = <R>(rows: readonly R[], idOf: (row: R) => bigint) => new Map(rows.map((row) => [idOf(row), row]));
  const operationById = byId(operations, (row) => row.id);
  const holdById = byId(holds, (row) => row.operation_id);
  const entryById = byId(entries, (row) => row.operation_id);
  const ids = new Set([...operationById.keys(), ...holdById.keys(), ...entryById.keys()]);
  return [...ids].map((id) => ({
    id,
    operation: operationById.get(id),
    hold: holdById.get(id),
    entry: entryById.get(id),
  }));
}

function nameOf(accountId: bigint, action: string, key: string): string {
  return `${accountId}/${action}/${key}`;
}
