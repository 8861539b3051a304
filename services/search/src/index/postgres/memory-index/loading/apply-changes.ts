import { inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import { holdsPartition, type MemoryIndex } from '../memory-index.ts';
import { readChangedAfter, readIndexVersion } from './index-version.ts';
import { type ReadCompany, type ReadObservation, readCompanies, readObservations } from './read-documents.ts';
import { PendingSegments, replaceDocuments } from './replace-documents.ts';

const PAGE = 1_000;
/**
 * Catching up covers at most this many documents, or a share of the index. A full load takes about
 * as long beyond that.
 */
const MOST_CHANGED = 10_000;
const MOST_CHANGED_SHARE = 0.05;

/**
 * Brings the memory index to the current version and returns the number of applied documents.
 * Returns undefined if the changes are unknown or too many.
 */
export async function applyChanges(pool: Pool, index: MemoryIndex): Promise<number | undefined> {
  return await inTransaction(pool, async (client) => {
    /* All reads of this transaction see one snapshot. */
    await client.query('set transaction isolation level repeatable read, read only');
    const { version, origin, position } = await readIndexVersion(client);
    if (origin !== index.origin || version < index.version) return undefined;
    const changed = await readChangedAfter(client, index.version, version);
    if (!changed) return undefined;
    const count = changed.observations.length + changed.companies.length;
    if (count > Math.max(MOST_CHANGED, index.observations.size * MOST_CHANGED_SHARE)) return undefined;
    const observations = new PendingSegments<ReadObservation>(index.observations.size, index.observationTexts);
    const companies = new PendingSegments<ReadCompany>(index.companies.size, index.companyTexts);
    for (const ids of pagesOf(changed.observations)) {
      const read = await readObservations(client, ids);
      await observations.add(read.filter(({ partition }) => holdsPartition(index, partition)));
    }
    for (const ids of pagesOf(changed.companies)) await companies.add(await readCompanies(client, ids));
    replaceDocuments<ReadObservation>(index.observations, index.observationTexts, changed.observations, observations);
    replaceDocuments<ReadCompany>(index.companies, index.companyTexts, changed.companies, companies);
    index.version = version;
    index.position = position;
    return count;
  });
}

function pagesOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, page) => ids.slice(page * PAGE, (page + 1) * PAGE));
}
