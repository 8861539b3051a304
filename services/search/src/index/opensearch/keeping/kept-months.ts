import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Client } from '@opensearch-project/opensearch';

/** Documents that one request discards, and the longest such request, in milliseconds. */
const AT_ONCE = 20_000;
const REQUEST_MS = 60_000;

/** First day of the month that is so many months before this one, as `2026-11-01`; null when no month is the first one kept. */
export function firstDayKept(now: Date, keptMonths: number): string | null {
  if (keptMonths === 0) return null;
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - keptMonths, 1));
  return first.toISOString().slice(0, 10);
}

/**
 * Deletes events from before an instant, in microseconds since 1970; profiles stay, whatever their date. A little at a time, so that
 * what is written meanwhile does not wait. What was changed meanwhile is left for the next run.
 */
export async function discardOlder(client: Client, index: string, keptFrom: bigint): Promise<void> {
  for (let deleted = AT_ONCE; deleted === AT_ONCE; ) {
    const { body } = await client.deleteByQuery(
      {
        index,
        conflicts: 'proceed',
        refresh: true,
        max_docs: AT_ONCE,
        body: {
          query: {
            bool: {
              filter: [{ range: { occurred_at: { lt: String(keptFrom) } } }],
              must_not: [{ term: { kind: String(Kind.COMPANY_PROFILE) } }],
            },
          },
        },
      },
      { requestTimeout: REQUEST_MS },
    );
    deleted = 'deleted' in body ? Number(body.deleted) : 0;
  }
}
