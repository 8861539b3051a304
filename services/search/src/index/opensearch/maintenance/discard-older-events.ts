import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Client } from '@opensearch-project/opensearch';
import { type BulkTarget, writeDocuments } from '../applying/bulk-writer.ts';
import { type IndexedDocument, tombstoneOf } from '../applying/documents.ts';
import { refreshIndices } from '../indices/refresh.ts';

/** A run discards at most TIMES rounds of AT_ONCE documents. The next run continues. */
const AT_ONCE = 2_000;
const TIMES = 1_000;
const SEARCH_MS = 30_000;

/** The first day of the month `keptMonths` before this one, as `2026-11-01`; null keeps all. */
export function firstDayKept(now: Date, keptMonths: number): string | null {
  if (keptMonths === 0) return null;
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - keptMonths, 1));
  return first.toISOString().slice(0, 10);
}

/**
 * Writes tombstones of the same version over events before `keptFrom` (microseconds since 1970).
 * `_delete_by_query` would increment versions and block a document's next version.
 */
export async function discardOlderEvents(target: BulkTarget, keptFrom: bigint): Promise<void> {
  for (let time = 0; time < TIMES; time += 1) {
    const found = await findOlder(target, keptFrom);
    if (found.length === 0) return;
    await writeDocuments({ ...target, replacesSame: true }, found);
    await refreshIndices(target, [target.alias]);
  }
}

async function findOlder({ client, alias }: BulkTarget, keptFrom: bigint): Promise<IndexedDocument[]> {
  const search = {
    index: alias,
    size: AT_ONCE,
    version: true,
    track_total_hits: false,
    body: {
      query: {
        bool: {
          filter: [{ range: { occurred_at: { lt: String(keptFrom) } } }],
          must_not: [{ term: { kind: { value: String(Kind.COMPANY_PROFILE) } } }],
        },
      },
    },
  } satisfies Parameters<Client['search']>[0];
  const { body } = await client.search(search, { requestTimeout: SEARCH_MS });
  return body.hits.hits.map(({ _id, _version }) => tombstoneOf(BigInt(_id ?? ''), BigInt(_version ?? 0)));
}
