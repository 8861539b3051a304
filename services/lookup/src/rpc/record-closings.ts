import type { MessageInitShape } from '@bufbuild/protobuf';
import { inTransaction, type Queryable } from '@ces/chassis/postgres/pool';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type {
  RecordClosingsRequest,
  RecordClosingsResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { noteObservations } from '../changes/change-feed.ts';
import { type Closing, expireObservations, readClosings, writeClosings } from '../db/closing.ts';
import { findEventCandidates } from '../db/event-key.ts';
import { closes } from '../deduplication/closed-event.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkBatch, placed } from '../recording/batch-results.ts';
import { inRounds } from '../recording/conflict-free-batches.ts';
import { findCompanies } from '../resolution/match-companies.ts';
import { lockResolution } from '../resolution/resolution-lock.ts';
import type { ResolutionVocabulary } from '../resolution/vocabulary.ts';
import { type CheckedClosing, checkClosing } from '../validation/check-closing.ts';

type PlacedClosing = CheckedClosing & { readonly place: number };
type KnownClosing = Closing & { readonly place: number; readonly survivorId: bigint | undefined };

interface Recorded {
  readonly outcome: RecordOutcome;
  readonly observationIds: bigint[];
}

export async function recordClosings(
  { pool, bell, vocabulary, alone }: Dependencies,
  request: RecordClosingsRequest,
): Promise<MessageInitShape<typeof RecordClosingsResponseSchema>> {
  const { source } = request;
  checkBatch(source, request.closings.length);
  const checked = request.closings.map(checkClosing);
  const recorded = new Map<number, Recorded>();
  const tx = await alone(() =>
    inTransaction(pool, async (client) => {
      await lockResolution(client);
      for (const round of inRounds(placed(checked))) await writeRound(client, vocabulary, source, round, recorded);
      const moved = [...recorded.values()].flatMap((one) => one.observationIds);
      return await noteObservations(client, [...new Set(moved)]);
    }),
  );
  if (tx !== undefined) bell.ring(tx);
  const closings = checked.map((one, place) =>
    one.ok ? recorded.get(place) : { outcome: RecordOutcome.REFUSED, reason: one.reason },
  );
  return { closings: closings.map((one) => one ?? {}), tx: tx ?? 0n };
}

/** Writes closings with distinct keys and lets what they close expire. */
async function writeRound(
  client: Queryable,
  vocabulary: ResolutionVocabulary,
  source: string,
  closings: readonly PlacedClosing[],
  recorded: Map<number, Recorded>,
): Promise<void> {
  const survivors = await findCompanies(
    client,
    vocabulary,
    source,
    closings.map((closing) => closing.company),
  );
  const known = closings.map((closing, index) => {
    const survivorId = survivors[index];
    return { ...closing, companyId: survivorId, survivorId };
  });
  const keys = known.map((closing) => closing.key);
  const before = await readClosings(client, source, keys);
  await writeClosings(client, source, known);
  const after = await readClosings(client, source, keys);
  const closed = await findClosed(client, known);
  const moved = new Set(await expireObservations(client, closed));
  for (const { key, place } of known)
    recorded.set(place, {
      outcome: outcomeOf(before.get(key), after.get(key)),
      observationIds: [
        ...new Set(
          closed.flatMap((one) => (one.place === place && moved.has(one.observationId) ? one.observationId : [])),
        ),
      ],
    });
}

function outcomeOf(before: string | undefined, after: string | undefined): RecordOutcome {
  if (before === undefined) return RecordOutcome.CREATED;
  return before === after ? RecordOutcome.SEEN : RecordOutcome.AMENDED;
}

/** The observations that closings are about. Without a known company a number of few digits must be one company's alone. */
async function findClosed(client: Queryable, closings: readonly KnownClosing[]) {
  const keysOf = ({ numbers, kind, survivorId = 0n }: KnownClosing) =>
    numbers.map((number) => ({ ...number, kind, survivorId }));
  const candidates = await findEventCandidates(client, closings.flatMap(keysOf));
  return closings.flatMap((closing) =>
    keysOf(closing).flatMap((number) => {
      const sharing = candidates.filter(
        ({ shared }) => shared.scheme === number.scheme && shared.value === number.value && shared.kind === number.kind,
      );
      const holders = new Set(sharing.map((one) => one.survivorId));
      const only = closing.survivorId === undefined && holders.size === 1 ? [...holders][0] : closing.survivorId;
      const known = { number, closedAt: closing.closedAt, survivorId: only };
      return sharing
        .filter((one) => closes(known, one.survivorId))
        .map(({ observationId }) => ({ observationId, closedAt: closing.closedAt, place: closing.place }));
    }),
  );
}
