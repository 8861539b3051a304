import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { RankedCompany } from '../ranking/rank-companies.ts';

const TEXT = 2000;
const OBSERVATION = 450;
const PROFILE = 600;

export async function companyTexts(
  lookup: Client<typeof LookupService>,
  companies: readonly RankedCompany[],
  signal: AbortSignal,
): Promise<string[]> {
  const companyIds = companies.map(({ companyId }) => companyId);
  const observationIds = companies.flatMap(({ hits }) => hits.map((hit) => hit.observationId));
  const documents = await lookup.getDocuments({ companyIds, observationIds }, { signal });
  const observations = new Map(documents.observations.map((document) => [document.id, document]));
  const profiles = new Map(documents.companies.map((document) => [document.id, document]));
  return companies.map(({ companyId, hits }) => {
    const company = profiles.get(companyId);
    const parts = [
      company?.name,
      ...hits.map((hit) => observationText(observations.get(hit.observationId))),
      cut(company?.profile ?? '', PROFILE),
    ];
    return cut(parts.filter(Boolean).join('\n'), TEXT) || '-';
  });
}

export function queryText(query: string): string {
  return cut(query, TEXT);
}

function observationText(document: ObservationDocument | undefined): string {
  return cut([document?.observedFact, document?.excerpts[0]].filter(Boolean).join(' '), OBSERVATION);
}

function cut(text: string, codeUnits: number): string {
  return text.slice(0, codeUnits).toWellFormed();
}
