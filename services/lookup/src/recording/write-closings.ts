import type { Queryable } from '@ces/chassis/postgres/pool';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { appendObservationChanges } from '../changes/change-feed.ts';
import { type Closing, expireObservations, readClosings, writeClosings as replaceClosings } from '../db/closing.ts';
import { findEventCandidates } from '../db/event-key.ts';
import { closesEvent } from '../deduplication/closed-event.ts';
import type { ResolutionVocabulary } from '../matching/vocabulary.ts';
import { matchCompanies } from '../resolution/match-companies.ts';
import type { CheckedClosing } from '../validation/check-closing.ts';
import { splitIntoConflictFreeBatches } from './conflict-free-batches.ts';

type AcceptedClosing = CheckedClosing & { readonly index: number };
type KnownClosing = Closing & { readonly index: number; readonly canonicalId: bigint | undefined };

interface RecordedClosing {
  readonly outcome: RecordOutcome;
  readonly observationIds: bigint[];
}

interface WrittenClosings {
  readonly recorded: ReadonlyMap<number, RecordedClosing>;
  readonly tx: bigint | undefined;
}

export async function writeClosings(
  client: Queryable,
  vocabulary: ResolutionVocabulary,
  source: string,
  closings: readonly AcceptedClosing[],
): Promise<WrittenClosings> {
  const recorded = new Map<number, RecordedClosing>();
  for (const batch of splitIntoConflictFreeBatches(closings))
    await writeDistinctClosings(client, vocabulary, source, batch, recorded);
  const moved = [...recorded.values()].flatMap((one) => one.observationIds);
  return { recorded, tx: await appendObservationChanges(client, [...new Set(moved)]) };
}

async function writeDistinctClosings(
  client: Queryable,
  vocabulary: ResolutionVocabulary,
  source: string,
  closings: readonly AcceptedClosing[],
  recorded: Map<number, RecordedClosing>,
): Promise<void> {
  const canonicalIds = await matchCompanies(
    client,
    vocabulary,
    source,
    closings.map((closing) => closing.company),
  );
  const known = closings.map((closing, index) => {
    const canonicalId = canonicalIds[index];
    return { ...closing, companyId: canonicalId, canonicalId };
  });
  const sourceKeys = known.map((closing) => closing.key);
  const before = await readClosings(client, source, sourceKeys);
  await replaceClosings(client, source, known);
  const after = await readClosings(client, source, sourceKeys);
  const closed = await findClosed(client, known);
  const moved = new Set(await expireObservations(client, closed));
  for (const { key, index } of known)
    recorded.set(index, {
      outcome: outcomeOf(before.get(key), after.get(key)),
      observationIds: [
        ...new Set(
          closed.flatMap((one) => (one.index === index && moved.has(one.observationId) ? one.observationId : [])),
        ),
      ],
    });
}

function outcomeOf(before: string | undefined, after: string | undefined): RecordOutcome {
  if (before === undefined) return RecordOutcome.CREATED;
  return before === after ? RecordOutcome.SEEN : RecordOutcome.AMENDED;
}

/** A short identifier needs a company, unless a single company uses it. */
async function findClosed(client: Queryable, closings: readonly KnownClosing[]) {
  const eventKeysOf = ({ identifiers, kind, canonicalId = 0n }: KnownClosing) =>
    identifiers.map((identifier) => ({ ...identifier, kind, canonicalId }));
  const candidates = await findEventCandidates(client, closings.flatMap(eventKeysOf));
  return closings.flatMap((closing) =>
    eventKeysOf(closing).flatMap((identifier) => {
      const sharing = candidates.filter(
        ({ shared }) =>
          shared.scheme === identifier.scheme && shared.value === identifier.value && shared.kind === identifier.kind,
      );
      const holders = new Set(sharing.map((one) => one.canonicalId));
      const only = closing.canonicalId === undefined && holders.size === 1 ? [...holders][0] : closing.canonicalId;
      const known = { identifier, closedAt: closing.closedAt, canonicalId: only };
      return sharing
        .filter((one) => closesEvent(known, one.canonicalId))
        .map(({ observationId }) => ({ observationId, closedAt: closing.closedAt, index: closing.index }));
    }),
  );
}
