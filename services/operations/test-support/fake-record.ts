import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createStreamBatchResults } from '@ces/chassis/rpc/stream-batch-results';
import { createLogger } from '@ces/chassis/telemetry/log';
import { type Company, CompanySchema, Country, DemandClass, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  type HydrateRequest,
  type LookUpCompaniesRequest,
  LookupService,
  LookupStatus,
  type ReadAnswerSchema,
  type ReadRequest,
  type SingleRead,
} from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';

const streamBatchResults = createStreamBatchResults(createLogger('fake record', 'silent'));

type ReadOutcome = Exclude<MessageInitShape<typeof ReadAnswerSchema>['answer'], undefined>;

export interface FakeObservation {
  readonly id: bigint;
  readonly companyId: bigint;
  readonly demandClass: DemandClass;
  readonly recordedAt: Date;
  expiresAt?: Date;
  withdrawn: boolean;
}

/**
 * An in-memory record: observations can be withdrawn, restored and expire, and companies can merge.
 */
export class FakeRecord {
  readonly observations = new Map<bigint, FakeObservation>();
  readonly canonicalIds = new Map<bigint, bigint>();
  readonly calls: string[] = [];
  before: (method: string) => Promise<void> | void = () => undefined;

  /** Company n with observations 10n, 10n + 1, … and the hostname `cn.example`. */
  addCompany(id: bigint, classes: readonly DemandClass[] = [DemandClass.PROXY], recordedAt = new Date()): void {
    this.canonicalIds.set(id, id);
    for (const [index, demandClass] of classes.entries()) {
      const observation = { companyId: id, demandClass, recordedAt, withdrawn: false };
      this.observations.set(id * 10n + BigInt(index), { id: id * 10n + BigInt(index), ...observation });
    }
  }

  addCompanies(count: number): void {
    for (let id = 1n; id <= BigInt(count); id += 1n) this.addCompany(id);
  }

  withdraw(observationId: bigint, withdrawn = true): void {
    const observation = this.observations.get(observationId);
    if (observation) observation.withdrawn = withdrawn;
  }

  observationsOf(companyId: bigint): FakeObservation[] {
    return [...this.observations.values()].filter((observation) => observation.companyId === companyId);
  }

  readonly register = (router: ConnectRouter): void => {
    const handle = async <T>(method: string, work: () => T): Promise<T> => {
      await this.before(method);
      this.calls.push(method);
      return work();
    };
    const hydrate = ({ companies, expiryJudgedAt }: HydrateRequest) =>
      handle('hydrate', () => {
        const readAt = new Date();
        const judgedAt = expiryJudgedAt ? timestampDate(expiryJudgedAt) : readAt;
        return {
          readAt: timestampFromDate(readAt),
          companies: companies.map(({ companyId, observationIds }) => {
            const survivorId = this.canonicalIds.get(companyId) ?? 0n;
            const company = this.#render(survivorId, observationIds, judgedAt);
            return { survivorId, ...(company && { company }) };
          }),
        };
      });
    const lookUpCompanies = ({ ids, domains }: LookUpCompaniesRequest) =>
      handle('lookUpCompanies', () => this.#lookUp([...ids, ...domains.map(idOfHostname)]));
    const readOne = async ({ read }: SingleRead): Promise<ReadOutcome> => {
      if (read.case === 'hydrate') return { case: 'hydrate', value: await hydrate(read.value) };
      if (read.case === 'lookUpCompanies') return { case: 'lookUpCompanies', value: await lookUpCompanies(read.value) };
      throw new Error('a read of no kind');
    };
    async function* read({ reads }: ReadRequest, context: Pick<HandlerContext, 'method'>) {
      for await (const answers of streamBatchResults(reads, context, readOne)) yield { answers };
    }
    router.service(LookupService, {
      hydrate,
      read,
      resolveCompanies: ({ ids }) =>
        handle('resolveCompanies', () => ({ survivorIds: ids.map((id) => this.canonicalIds.get(id) ?? id) })),
      lookUpCompanies,
      lookUpObservations: (request) => handle('lookUpObservations', () => this.#recordedSince(request)),
    });
  };

  #lookUp(ids: readonly bigint[]) {
    const now = new Date();
    const found = new Map<bigint, Company>();
    const outcomes = ids.map((id) => {
      const survivorId = this.canonicalIds.get(id);
      if (survivorId === undefined) return { status: LookupStatus.NOT_FOUND, companyId: 0n };
      const company = this.#render(
        survivorId,
        this.observationsOf(survivorId).map((observation) => observation.id),
        now,
      );
      if (!company) return { status: LookupStatus.UNAVAILABLE, companyId: 0n };
      found.set(survivorId, company);
      return { status: LookupStatus.FOUND, companyId: survivorId };
    });
    return { outcomes, companies: [...found.values()], asOf: timestampFromDate(now) };
  }

  #recordedSince(request: {
    domains: string[];
    since?: Parameters<typeof timestampDate>[0] | undefined;
    until?: Parameters<typeof timestampDate>[0] | undefined;
    afterId: bigint;
    limit: number;
  }) {
    const until = request.until ? timestampDate(request.until) : new Date();
    const since = request.since ? timestampDate(request.since) : new Date(0);
    const companies = request.domains.map(idOfHostname);
    const rows = [...this.observations.values()].filter(
      ({ id, companyId, recordedAt, withdrawn }) =>
        companies.includes(companyId) &&
        recordedAt > since &&
        recordedAt <= until &&
        id > request.afterId &&
        !withdrawn,
    );
    const page = rows.slice(0, request.limit);
    const last = page.at(-1);
    return {
      observations: page.flatMap((row) => this.#render(row.companyId, [row.id], until)?.observations ?? []),
      domainFound: companies.map((id) => this.canonicalIds.has(id)),
      asOf: timestampFromDate(until),
      hasMore: rows.length > page.length,
      ...(last && { lastRecordedAt: timestampFromDate(last.recordedAt), lastId: last.id }),
    };
  }

  #render(survivorId: bigint, observationIds: readonly bigint[], judgedAt: Date): Company | undefined {
    const observations = observationIds
      .flatMap((id) => this.observations.get(id) ?? [])
      .filter(({ companyId }) => this.canonicalIds.get(companyId) === survivorId)
      .filter(({ withdrawn, expiresAt }) => !withdrawn && !(expiresAt && expiresAt <= judgedAt))
      .slice(0, 3);
    if (observations.length === 0) return undefined;
    const company = { id: survivorId, name: `Company ${survivorId}` };
    return create(CompanySchema, {
      ...company,
      domains: [{ id: survivorId, hostname: `c${survivorId}.example` }],
      observations: observations.map(({ id, demandClass }) => ({
        id,
        kind: Kind.FACILITY_EXPANSION,
        observedFact: `fact ${id}`,
        whyItMayMatter: `why ${id}`,
        demandClass,
        country: Country.CA,
        confidence: 0.9,
        company,
      })),
    });
  }
}

function idOfHostname(hostname: string): bigint {
  return BigInt(/^c(\d+)\.example$/.exec(hostname)?.[1] ?? 0);
}
