import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type RpcServer, startRpcServer } from '@ces/chassis/rpc/server';
import { createLogger } from '@ces/chassis/telemetry/log';
import { acceptTokens } from '@ces/chassis/test-support/accept-tokens';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import {
  type Change,
  ChangeSchema,
  type CompanyDocument,
  CompanyDocumentSchema,
  type ObservationDocument,
  ObservationDocumentSchema,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';

/** Serves lookup's two feed methods over real RPC, from a record in memory. */
export interface RecordServer extends AsyncDisposable {
  readonly url: string;
  readonly documentCalls: () => number;
  /** Records documents in one transaction and returns its id. */
  put(documents: RecordedDocuments): bigint;
  /** Removes observations and their changes, like a restore of an older record. */
  forget(observationIds: readonly bigint[]): void;
  /** Starts a new history with transaction numbers from `tx`. */
  beginEpoch(tx: bigint): void;
}

interface RecordedDocuments {
  readonly observations?: readonly MessageInitShape<typeof ObservationDocumentSchema>[];
  readonly companies?: readonly MessageInitShape<typeof CompanyDocumentSchema>[];
}

export const RECORD_TOKEN = 'token-of-search';

export async function startRecordServer(): Promise<RecordServer> {
  const record = new MemoryRecord();
  const server: RpcServer = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    callers: { 'ces.lookup.v1.LookupService': { ListChanges: ['search'], GetDocuments: ['search'] } },
    callerTokens: acceptTokens({ search: RECORD_TOKEN }),
    logger: createLogger('record', 'silent'),
    routes: (router) =>
      router.service(LookupService, {
        listChanges: ({ after, limit }) => record.changesAfter(after, limit),
        getDocuments: (request) => record.documents(request.observationIds, request.companyIds),
      }),
  });
  return {
    url: server.url,
    documentCalls: () => record.documentCalls,
    put: (documents) => record.put(documents),
    forget: (ids) => record.forget(ids),
    beginEpoch: (tx) => record.beginEpoch(tx),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

class MemoryRecord {
  readonly #observations = new Map<bigint, ObservationDocument>();
  readonly #companies = new Map<bigint, CompanyDocument>();
  #changes: Change[] = [];
  #seq = 0n;
  #tx = 1000n;
  #epoch = 1;
  documentCalls = 0;

  put({ observations = [], companies = [] }: RecordedDocuments): bigint {
    this.#tx += 1n;
    for (const init of companies) {
      const document = create(CompanyDocumentSchema, init);
      this.#companies.set(document.id, document);
      this.#note({ companyId: document.id });
    }
    for (const init of observations) {
      const document = create(ObservationDocumentSchema, init);
      this.#observations.set(document.id, document);
      this.#note({ observationId: document.id });
    }
    return this.#tx;
  }

  forget(ids: readonly bigint[]): void {
    for (const id of ids) this.#observations.delete(id);
    this.#changes = this.#changes.filter((change) => !ids.includes(change.observationId));
  }

  beginEpoch(tx: bigint): void {
    this.#epoch += 1;
    this.#tx = tx;
    for (const change of this.#changes) change.tx = 3n;
  }

  changesAfter(after: { tx: bigint; seq: bigint; epoch: string } | undefined, limit: number) {
    const epoch = String(this.#epoch);
    const newest = this.#changes.at(-1);
    if (after?.epoch && after.epoch !== epoch)
      return { completeTo: { tx: newest?.tx ?? 0n, seq: newest?.seq ?? 0n, epoch }, positionLost: true };
    const rest = this.#changes.filter(({ tx, seq }) => !after || tx > after.tx || (tx === after.tx && seq > after.seq));
    const page = rest.slice(0, limit || 1000);
    const hasMore = page.length < rest.length;
    const last = (hasMore ? page : this.#changes).at(-1);
    return { changes: page, hasMore, ...(last && { completeTo: { tx: last.tx, seq: last.seq, epoch } }) };
  }

  documents(observationIds: readonly bigint[], companyIds: readonly bigint[]) {
    this.documentCalls += 1;
    return {
      observations: observationIds.flatMap((id) => this.#observations.get(id) ?? []),
      companies: companyIds.flatMap((id) => this.#companies.get(id) ?? []),
    };
  }

  #note(what: { companyId?: bigint; observationId?: bigint }): void {
    this.#seq += 1n;
    this.#changes.push(create(ChangeSchema, { tx: this.#tx, seq: this.#seq, ...what }));
  }
}
