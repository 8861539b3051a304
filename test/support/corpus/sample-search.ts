import { setTimeout as pause } from 'node:timers/promises';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { generateSample, startOfDay } from '@ces/local/sample/sample';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { CompanyDocumentSchema, ObservationDocumentSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { startSearchStack } from '@ces/search/test-support/search-stack';

const DAY_MS = 86_400_000;
const WINDOW_DAYS = 30;
const EVENTS = Object.values(Kind).filter((kind) => kind !== Kind.UNSPECIFIED && kind !== Kind.COMPANY_PROFILE);
const HIGHEST = 1000;

type Filters = MessageInitShape<typeof SearchFiltersSchema>;
type Observation = MessageInitShape<typeof ObservationDocumentSchema> & { readonly id: bigint; readonly kind: Kind };

export async function startSampleSearch(environment: Record<string, string> = {}) {
  /* Words alone give lower probabilities than words and vectors. */
  const stack = await startSearchStack({}, { CES_SEARCH_MINIMUM_RELEVANCE: '30', ...environment });
  const { observations, companies } = sampleDocuments(new Date());
  const waitForTx = stack.record.put({ observations, companies });
  const kinds = new Map(observations.map(({ id, kind }) => [id, kind]));
  const isIndexed = async () => {
    const { lag, position } = await stack.admin.getIndexStatus({});
    return lag === 0n && (position?.tx ?? 0n) >= waitForTx;
  };
  while (!(await isIndexed())) await pause(50);
  return {
    find: async (query: string, filters: Filters = activity(), companies = HIGHEST) =>
      await stack.search.planAndSearch({ query, filters, candidateLimit: HIGHEST, maxCompanies: companies }),
    kindOf: (id: bigint) => kinds.get(id),
    observations,
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}

export type SampleSearch = Awaited<ReturnType<typeof startSampleSearch>>;

/** The filters of a search without filters: every kind except profiles, in the last thirty days. */
export function activity(more: Filters = {}): Filters {
  const since = new Date(startOfDay(new Date()).getTime() - WINDOW_DAYS * DAY_MS);
  return { kinds: EVENTS, occurredAfter: timestampFromDate(since), ...more };
}

export function hostnameOf(companyId: bigint): string {
  const hostname = generateSample(startOfDay(new Date())).companies[Number(companyId) - 1]?.hostnames?.[0];
  if (hostname === undefined) throw new Error(`the sample has no company ${companyId}`);
  return hostname;
}

function sampleDocuments(now: Date) {
  const sample = generateSample(startOfDay(now));
  const ids = new Map(sample.companies.map(({ key }, at) => [key, BigInt(at + 1)]));
  const observations = sample.observations.map((record, at): Observation => {
    const { kind, country, observedFact, occurredAt, observedAt, expiresAt, evidence = [] } = record;
    if (kind === undefined || country === undefined || observedFact === undefined) throw new Error('it is incomplete');
    return {
      id: BigInt(at + 1),
      version: 1n,
      companyId: ids.get(record.companyKey) ?? 0n,
      kind,
      country,
      observedFact,
      excerpts: evidence.map(({ excerpt = '' }) => excerpt),
      ...(occurredAt && { occurredAt }),
      ...(observedAt && { observedAt, recordedAt: observedAt }),
      ...(expiresAt && { deliverableUntil: expiresAt }),
    };
  });
  const profiles = new Map(
    observations
      .filter(({ kind }) => kind === Kind.COMPANY_PROFILE)
      .map(({ companyId, observedFact, excerpts = [] }) => [companyId, [observedFact, ...excerpts].join('\n')]),
  );
  const companies = sample.companies.map((company, at): MessageInitShape<typeof CompanyDocumentSchema> => {
    const id = BigInt(at + 1);
    const { name = '', country } = company;
    const domains = (company.hostnames ?? []).map((hostname) => ({ hostname }));
    return {
      id,
      version: 1n,
      survivorId: id,
      name,
      ...(country && { country }),
      domains,
      profile: profiles.get(id) ?? '',
    };
  });
  return { observations, companies };
}
