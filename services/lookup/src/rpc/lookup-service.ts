import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { dateOf } from '@ces/chassis/instant';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { countryOf, kindOf } from '@ces/proto/catalog';
import type { Company } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  type HydrateRequest,
  type LookUpCompaniesRequest,
  type LookupService,
  LookupStatus,
  type ReadAnswerSchema,
  type SingleRead,
} from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { ServiceImpl } from '@connectrpc/connect';
import { readCompanyDocuments } from '../changes/company-document.ts';
import { readObservationDocuments } from '../changes/observation-document.ts';
import { readCompleteness } from '../db/commit-order.ts';
import { resolveCanonicalIds } from '../db/company.ts';
import { type Coverage, listCoverage } from '../db/coverage.ts';
import { listSources } from '../db/source.ts';
import type { Dependencies } from '../dependencies.ts';
import { type HydratedReference, hydrate as readReferences } from '../hydration/hydrate.ts';
import { type LookedUp, lookUpByDomains } from '../hydration/look-up.ts';
import { findKnownHostnames, findObservation, lookUpObservations } from '../hydration/observation-look-up.ts';
import { toCompany, toObservation } from '../hydration/rendered-observation.ts';
import { checkAtMost, checkBetween } from './arguments.ts';
import { listChanges } from './list-changes.ts';

const MOST_READS = 50;
const MAX_INPUTS = 20;
const MAX_DOMAINS = 100;
const MAX_PAGE = 100;
const MAX_HYDRATED = { companies: 1000, observations: 5000 };
const MAX_DOCUMENTS = 1000;
const MAX_RESOLVED = 200;

type ReadAnswer = Exclude<MessageInitShape<typeof ReadAnswerSchema>['answer'], undefined>;

export function lookupService(dependencies: Dependencies): ServiceImpl<typeof LookupService> {
  const { pool, reads, lookUpIds, streamBatchResults } = dependencies;
  const hydrate = async ({ companies, expiryJudgedAt }: HydrateRequest) => {
    checkAtMost('companies', companies.length, MAX_HYDRATED.companies);
    checkAtMost('observation_ids', companies.flatMap((one) => one.observationIds).length, MAX_HYDRATED.observations);
    const judgedAt = expiryJudgedAt && timestampDate(expiryJudgedAt);
    const { references, readAt } = await reads.read((db) => readReferences(db, companies, judgedAt));
    return { companies: references.map(toHydratedCompany), readAt: timestampFromDate(readAt) };
  };
  const lookUpCompanies = async ({ ids, domains }: LookUpCompaniesRequest) => {
    if (ids.length > 0 && domains.length > 0)
      throw fail(FailureCode.INVALID_REQUEST, 'Either ids or domains, not both.');
    checkBetween('The number of inputs', ids.length + domains.length, 1, MAX_INPUTS);
    const lookUp = ids.length > 0 ? lookUpIds(ids) : reads.read((db) => lookUpByDomains(db, domains));
    const { inputs, readAt } = await lookUp;
    const companies = new Map<bigint, Company>();
    const outcomes = inputs.map((input) => {
      const { status, company } = findCompany(input);
      if (company && !companies.has(company.id)) companies.set(company.id, company);
      return { status, companyId: company?.id ?? 0n };
    });
    return { outcomes, companies: [...companies.values()], asOf: timestampFromDate(readAt) };
  };
  const readOne = async ({ read: asked }: SingleRead): Promise<ReadAnswer> => {
    switch (asked.case) {
      case 'lookUpCompanies':
        return { case: 'lookUpCompanies', value: await lookUpCompanies(asked.value) };
      case 'hydrate':
        return { case: 'hydrate', value: await hydrate(asked.value) };
      case undefined:
        throw fail(FailureCode.INVALID_REQUEST, 'A read must be of a kind.');
    }
  };
  return {
    hydrate,
    lookUpCompanies,
    async *read({ reads: asked }, context) {
      checkBetween('The number of reads', asked.length, 1, MOST_READS);
      for await (const answers of streamBatchResults(asked, context, readOne)) yield { answers };
    },
    async lookUpObservations(request) {
      const { domains, limit, afterRecordedAt, afterId } = request;
      checkBetween('The number of domains', domains.length, 1, MAX_DOMAINS);
      checkBetween('limit', limit, 1, MAX_PAGE);
      if (!request.since) throw fail(FailureCode.INVALID_REQUEST, 'since is missing.');
      const until = request.until ? dateOf(request.until) : await readCompleteness(pool);
      const range = {
        since: dateOf(request.since),
        after: afterRecordedAt && { recordedAt: dateOf(afterRecordedAt), id: afterId },
        until,
        limit: limit + 1,
      };
      const rows = await reads.read((db) => lookUpObservations(db, domains, range));
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        observations: page.map(toObservation),
        domainFound: await findKnownHostnames(pool, domains),
        asOf: timestampFromDate(until),
        hasMore: rows.length > limit,
        ...(last && { lastRecordedAt: timestampFromDate(last.recorded_at), lastId: last.id }),
      };
    },
    async getObservation({ observationId }) {
      const row = await reads.read((db) => findObservation(db, observationId));
      if (!row) throw fail(FailureCode.OBSERVATION_NOT_FOUND, 'No deliverable observation has that id.');
      return { observation: toObservation(row) };
    },
    listChanges: (request) => listChanges(dependencies, request),
    async getDocuments({ observationIds, companyIds }) {
      checkAtMost('observation_ids', observationIds.length, MAX_DOCUMENTS);
      checkAtMost('company_ids', companyIds.length, MAX_DOCUMENTS);
      const [observations, companies] = await Promise.all([
        reads.read((db) => readObservationDocuments(db, observationIds)),
        reads.read((db) => readCompanyDocuments(db, companyIds)),
      ]);
      return { observations, companies };
    },
    async resolveCompanies({ ids }) {
      checkAtMost('ids', ids.length, MAX_RESOLVED);
      return { survivorIds: await resolveCanonicalIds(pool, ids) };
    },
    async listSources() {
      const [sources, coverage] = await Promise.all([listSources(pool), listCoverage(pool)]);
      return {
        sources: sources.map(({ licenceUri = '', homepage = '', readAt, ...source }) => ({
          ...source,
          licenceUri,
          homepage,
          ...(readAt && { readAt: timestampFromDate(readAt) }),
        })),
        coverage: coverage.map(toCoverage),
      };
    },
  };
}

function toHydratedCompany({ company, rows }: HydratedReference) {
  if (!company) return { survivorId: 0n };
  if (rows.length === 0) return { survivorId: company.id };
  return { survivorId: company.id, company: toCompany(company.id, company.name, rows) };
}

function findCompany({ known, candidates, company, rows }: LookedUp): { status: LookupStatus; company?: Company } {
  const status = decideOutcome({ known, candidates, observations: rows.length });
  if (status !== LookupStatus.FOUND || !company) return { status };
  return { status, company: toCompany(company.id, company.name, rows) };
}

interface Resolved {
  readonly known: boolean;
  readonly candidates: number;
  readonly observations: number;
}

/** gateway/docs/contract.md, Record and evidence. */
export function decideOutcome({ known, candidates, observations }: Resolved): LookupStatus {
  if (!known) return LookupStatus.NOT_FOUND;
  if (candidates > 1) return LookupStatus.AMBIGUOUS;
  return observations > 0 ? LookupStatus.FOUND : LookupStatus.UNAVAILABLE;
}

function toCoverage({ origin, kind, country, weekCount, newestAt, medianDelayS, slowDelayS }: Coverage) {
  return {
    source: origin,
    kind: kindOf(kind),
    country: countryOf(country),
    weekCount: BigInt(weekCount),
    ...(newestAt && { newestAt: timestampFromDate(newestAt) }),
    ...(medianDelayS !== undefined && { medianDelayS }),
    ...(slowDelayS !== undefined && { slowDelayS }),
  };
}
