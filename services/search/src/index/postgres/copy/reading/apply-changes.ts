import { inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import { type CopiedIndex, holdsPartition } from '../copied-index.ts';
import { replaceDocuments, SegmentsAhead } from './copied-documents.ts';
import { readChangedAfter, readIndexVersion } from './index-version.ts';
import { type ReadCompany, type ReadObservation, readCompanies, readObservations } from './read-documents.ts';

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
export async function applyChanges(pool: Pool, copy: CopiedIndex): Promise<number | undefined> {
  return await inTransaction(pool, async (client) => {
    /* All reads of this transaction see one snapshot. */
    await client.query('set transaction isolation level repeatable read, read only');
    const { version, origin, position } = await readIndexVersion(client);
    if (origin !== copy.origin || version < copy.version) return undefined;
    const changed = await readChangedAfter(client, copy.version, version);
    if (!changed) return undefined;
    const count = changed.observations.length + changed.companies.length;
    if (count > Math.max(MOST_CHANGED, copy.observations.size * MOST_CHANGED_SHARE)) return undefined;
    const observations = new SegmentsAhead<ReadObservation>(copy.observations.size, copy.observationTexts);
    const companies = new SegmentsAhead<ReadCompany>(copy.companies.size, copy.companyTexts);
    for (const ids of pagesOf(changed.observations)) {
      const read = await readObservations(client, ids);
      await observations.add(read.filter(({ partition }) => holdsPartition(copy, partition)));
    }
    for (const ids of pagesOf(changed.companies)) await companies.add(await readCompanies(client, ids));
    replaceDocuments<ReadObservation>(copy.observations, copy.observationTexts, changed.observations, observations);
    replaceDocuments<ReadCompany>(copy.companies, copy.companyTexts, changed.companies, companies);
    copy.version = version;
    copy.position = position;
    return count;
  });
}

function pagesOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, page) => ids.slice(page * PAGE, (page + 1) * PAGE));
}
