import { sourceOf } from '../company/source-of.ts';
import type { Company, CompanyMatch, Source } from '../session/client.ts';
import type { CompanyPage } from './company-rows.ts';

export function toJsonLines(pages: readonly CompanyPage[], sources: readonly Source[]): string {
  const lines = pages.flatMap(({ companies, usageId, requestKey, asOf }) =>
    companies.map((company) =>
      JSON.stringify({
        ...company,
        sources: sourcesOf(company, sources),
        as_of: asOf,
        usage_id: usageId,
        request_key: requestKey,
      }),
    ),
  );
  return lines.map((line) => `${line}\n`).join('');
}

function sourcesOf(company: Company | CompanyMatch, sources: readonly Source[]) {
  const uris = company.observations.flatMap(({ evidence }) => evidence.map(({ source_uri }) => source_uri));
  return [...new Set(uris)].map((uri) => ({ source_uri: uri, ...sourceOf(uri, sources) }));
}
