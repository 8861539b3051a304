import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { ChangePosition, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@connectrpc/connect';
import { distinct, type LostPosition, readPage } from '../changes/read-page.ts';
import type { FeedRange, IndexBatch } from '../index/observation-index.ts';

const CHANGES = 2000;
const DOCUMENTS = 500;

export async function readChanges(
  lookup: Client<typeof LookupService>,
  feed: FeedRange['feed'],
  from: ChangePosition | undefined,
): Promise<IndexBatch | LostPosition | undefined> {
  const page = await readPage(lookup, CHANGES, from);
  if (!page || page.lost) return page;
  const [observations, companies] = await Promise.all([
    readObservations(lookup, distinct(page.changes.map((change) => change.observationId))),
    readDocuments(distinct(page.changes.map((change) => change.companyId)), (ids) =>
      lookup.getDocuments({ companyIds: ids }).then((documents) => documents.companies),
    ),
  ]);
  return { observations, companies, range: { feed, from, to: page.to, complete: !page.hasMore } };
}

export async function readObservations(
  lookup: Client<typeof LookupService>,
  observationIds: readonly bigint[],
): Promise<ObservationDocument[]> {
  return await readDocuments(observationIds, (ids) =>
    lookup.getDocuments({ observationIds: ids }).then(({ observations }) => observations),
  );
}

async function readDocuments<T>(ids: readonly bigint[], read: (ids: bigint[]) => Promise<T[]>): Promise<T[]> {
  const chunks: Promise<T[]>[] = [];
  for (let at = 0; at < ids.length; at += DOCUMENTS) chunks.push(read(ids.slice(at, at + DOCUMENTS)));
  return (await Promise.all(chunks)).flat();
}
