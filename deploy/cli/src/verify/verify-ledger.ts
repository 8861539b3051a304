import { setTimeout as pause } from 'node:timers/promises';
import { findDifferences } from '@ces/operations/reconciliation/compare';
import { type PairSources as Pages, readPair, readPairs } from '@ces/operations/reconciliation/pairs';
import type { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { Client } from '@connectrpc/connect';

export interface Clients extends Pages {
  readonly ledger: Client<typeof LedgerAdminService>;
}

interface Finding {
  /** 0: the finding concerns a subscription as a whole. */
  readonly operation_id: bigint;
  readonly subscription_id: bigint;
  readonly description: string;
}

export interface Verification {
  readonly subscriptions: bigint;
  readonly entries: bigint;
  readonly holds: bigint;
  readonly operations: number;
  readonly differences: readonly Finding[];
}

/** Calls in progress settle within this time; a longer difference is a finding. */
const SETTLES_WITHIN_MS = 1_500;
/** Bounds memory and output; more findings add no information. */
const MOST_FINDINGS = 1_000;

/** A hold older than `maxHoldMs` is a finding. */
export async function verifyLedger(clients: Clients, maxHoldMs: number, now: () => Date): Promise<Verification> {
  const ledger = await clients.ledger.verifyLedger({});
  const suspects: bigint[] = [];
  let operations = 0;
  for await (const pair of readPairs(clients)) {
    operations += 1;
    const suspicious = findDifferences(pair, new Date(now().getTime() - maxHoldMs)).length > 0;
    if (suspicious && suspects.length < MOST_FINDINGS) suspects.push(pair.operationId);
  }
  if (suspects.length > 0) await pause(SETTLES_WITHIN_MS);
  const found: Finding[] = ledger.differences.map((difference) => ({
    operation_id: difference.operationId,
    subscription_id: difference.subscriptionId,
    description: difference.description,
  }));
  for (const operationId of suspects) {
    const pair = await readPair(clients, operationId);
    const subscriptionId = pair.settlement?.subscriptionId ?? pair.movement?.hold?.subscriptionId ?? 0n;
    for (const description of findDifferences(pair, new Date(now().getTime() - maxHoldMs)))
      found.push({ operation_id: operationId, subscription_id: subscriptionId, description });
  }
  const { subscriptions, entries, holds } = ledger;
  return { subscriptions, entries, holds, operations, differences: found };
}
