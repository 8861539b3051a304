import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@connectrpc/connect';
import { readCompanies, readObservations } from '../changes/read-documents.ts';
import { distinct, type LostPosition, readPage } from '../changes/read-page.ts';
import type { FeedRange, IndexBatch } from '../index/observation-index.ts';

const CHANGES = 2000;

export async function readChanges(
  lookup: Client<typeof LookupService>,
  feed: FeedRange['feed'],
  from: ChangePosition | undefined,
): Promise<IndexBatch | LostPosition | undefined> {
  const page = await readPage(lookup, CHANGES, from);
  if (!page || page.lost) return page;
  const [observations, companies] = await Promise.all([
    readObservations(lookup, distinct(page.changes.map((change) => change.observationId))),
    readCompanies(lookup, distinct(page.changes.map((change) => change.companyId))),
  ]);
  return { observations, companies, range: { feed, from, to: page.to, complete: !page.hasMore } };
}
