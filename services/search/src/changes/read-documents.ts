import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@connectrpc/connect';

const DOCUMENTS = 500;

type Lookup = Client<typeof LookupService>;

export async function readObservations(lookup: Lookup, ids: readonly bigint[]): Promise<ObservationDocument[]> {
  const read = (observationIds: bigint[]) => lookup.getDocuments({ observationIds });
  return (await inChunks(ids, read)).flatMap(({ observations }) => observations);
}

export async function readCompanies(lookup: Lookup, ids: readonly bigint[]): Promise<CompanyDocument[]> {
  const read = (companyIds: bigint[]) => lookup.getDocuments({ companyIds });
  return (await inChunks(ids, read)).flatMap(({ companies }) => companies);
}

async function inChunks<T>(ids: readonly bigint[], read: (ids: bigint[]) => Promise<T>): Promise<T[]> {
  const chunks: Promise<T>[] = [];
  for (let at = 0; at < ids.length; at += DOCUMENTS) chunks.push(read(ids.slice(at, at + DOCUMENTS)));
  return await Promise.all(chunks);
}
