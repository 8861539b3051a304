import type { MessageInitShape } from '@bufbuild/protobuf';
import type { TakeRequest, TakeResponseSchema } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import type { CallWish, PlaceWish } from '../db/call-limit.ts';
import type { Dependencies } from './dependencies.ts';
import { invalid, requireText } from './input.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MOST_WISHES = 1_000;
const LONGEST_OWNER = 200;
/** No limit of calls is higher, so no number of a wish may be. */
const MOST_CALLS = 1_000_000;

export async function take(
  { shares }: Pick<Dependencies, 'shares'>,
  request: TakeRequest,
): Promise<MessageInitShape<typeof TakeResponseSchema>> {
  const { holder, calls, places } = request;
  if (!UUID.test(holder)) throw invalid('`holder` must be a UUID.');
  if (calls.length > MOST_WISHES || places.length > MOST_WISHES)
    throw invalid(`\`calls\` and \`places\` may have at most ${MOST_WISHES} wishes each.`);
  for (const wish of calls) checkCalls(wish);
  for (const wish of places) checkPlaces(wish);
  const [takenCalls, takenPlaces] = await Promise.all([shares.takeCalls(calls), shares.takePlaces(holder, places)]);
  return { calls: takenCalls, places: takenPlaces.map((count) => ({ places: count })) };
}

function checkCalls({ owner, needed, ahead, unused, perSecond, burst, perHour }: CallWish): void {
  requireText(owner, 'owner', 1, LONGEST_OWNER);
  requireCounts(0, { needed, ahead, unused, per_hour: perHour });
  requireCounts(1, { per_second: perSecond, burst });
}

function checkPlaces({ owner, occupied, wanted, most }: PlaceWish): void {
  requireText(owner, 'owner', 1, LONGEST_OWNER);
  requireCounts(0, { occupied, wanted });
  requireCounts(1, { most });
}

function requireCounts(least: number, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts))
    if (count < least || count > MOST_CALLS) throw invalid(`\`${name}\` must be from ${least} to ${MOST_CALLS}.`);
}
