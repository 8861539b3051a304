import type { TakeRequest } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import type { SlotLeaseRequest, TokenLeaseRequest } from '../db/call-limit.ts';
import type { Dependencies } from './dependencies.ts';
import { invalid, requireText, UUID } from './input.ts';

const MAX_LEASES = 1_000;
const LONGEST_OWNER = 200;
const MOST_CALLS = 1_000_000;

export async function take({ limitLeases }: Pick<Dependencies, 'limitLeases'>, request: TakeRequest) {
  const { holder, calls, slots } = request;
  if (!UUID.test(holder)) throw invalid('`holder` must be a UUID.');
  if (calls.length > MAX_LEASES || slots.length > MAX_LEASES)
    throw invalid(`\`calls\` and \`slots\` may have at most ${MAX_LEASES} requests each.`);
  for (const one of calls) checkCalls(one);
  for (const one of slots) checkSlots(one);
  const [takenCalls, takenSlots] = await Promise.all([
    limitLeases.takeCalls(calls),
    limitLeases.takeSlots(holder, slots),
  ]);
  return { calls: takenCalls, slots: takenSlots.map((count) => ({ slots: count })) };
}

function checkCalls({ owner, needed, prefetch, unused, perSecond, burst, perHour }: TokenLeaseRequest): void {
  requireText(owner, 'owner', 1, LONGEST_OWNER);
  requireCounts(0, { needed, prefetch, unused, per_hour: perHour });
  requireCounts(1, { per_second: perSecond, burst });
}

function checkSlots({ owner, occupied, wanted, most }: SlotLeaseRequest): void {
  requireText(owner, 'owner', 1, LONGEST_OWNER);
  requireCounts(0, { occupied, wanted });
  requireCounts(1, { most });
}

function requireCounts(least: number, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts))
    if (count < least || count > MOST_CALLS) throw invalid(`\`${name}\` must be from ${least} to ${MOST_CALLS}.`);
}
