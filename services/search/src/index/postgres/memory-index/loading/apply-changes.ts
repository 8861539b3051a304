import { inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import { readVectors } from '../../../../embedding/vector-table.ts';
import { holdsPartition, type MemoryIndex } from '../memory-index.ts';
import { type ChangedDocuments, readChangedAfter, readIndexVersion } from './index-version.ts';
import { type ReadCompany, type ReadObservation, readCompanies, readObservations } from './read-documents.ts';
import { PendingSegments, replaceDocuments } from './replace-documents.ts';

const PAGE = 1_000;

/**
 * Returns the number of applied documents, or undefined if the changes are unknown. Changes of
 * `noted` documents before the index's version may be missing.
 */
export async function applyChanges(
  pool: Pool,
  index: MemoryIndex,
  noted?: ChangedDocuments,
): Promise<number | undefined> {
  return await inTransaction(pool, async (client) => {
    await client.query('set transaction isolation level repeatable read, read only');
    const { version, origin, position } = await readIndexVersion(client);
    if (origin !== index.origin || version < index.version) return undefined;
    const changed = await readChangedAfter(client, index.version, version);
    if (!changed) return undefined;
    const [observationIds, companyIds] = [
      union(changed.observations, noted?.observations),
      union(changed.companies, noted?.companies),
    ];
    const observations = new PendingSegments<ReadObservation>(index.observations.size, index.observationTexts);
    const companies = new PendingSegments<ReadCompany>(index.companies.size, index.companyTexts);
    for (const ids of pagesOf(observationIds)) {
      const read = await readObservations(client, ids);
      await observations.add(read.filter(({ partition }) => holdsPartition(index, partition)));
    }
    for (const ids of pagesOf(companyIds)) await companies.add(await readCompanies(client, ids));
    const { vectors } = index;
    const made = vectors ? await readVectors(client, observationIds.map(BigInt), vectors.model) : [];
    replaceDocuments<ReadObservation>(index.observations, index.observationTexts, observationIds, observations);
    replaceDocuments<ReadCompany>(index.companies, index.companyTexts, companyIds, companies);
    for (const [id, vector] of made) {
      const number = index.observations.numberOf(Number(id));
      if (number !== undefined) vectors?.set(number, vector);
    }
    index.version = version;
    index.position = position;
    return observationIds.length + companyIds.length;
  });
}

function union(ids: Iterable<string>, others: Iterable<string> = []): string[] {
  return [...new Set([...ids, ...others])];
}

function pagesOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, page) => ids.slice(page * PAGE, (page + 1) * PAGE));
}
