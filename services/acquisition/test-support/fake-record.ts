import { startRpcServer } from '@ces/chassis/rpc/server';
import { createLogger } from '@ces/chassis/telemetry/log';
import { acceptTokens } from '@ces/chassis/test-support/accept-tokens';
import {
  type ClosingRecord,
  type ObservationRecord,
  RecordOutcome,
  type Source,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { type KeptEvidence, RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { ServiceImpl } from '@connectrpc/connect';

const TOKEN = 'acquisition-token';

/**
 * RecordService in memory with real RPCs: identity, later occurrences and amendments, no
 * resolution.
 */
export interface FakeRecord extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly observations: ReadonlyMap<string, ObservationRecord>;
  readonly closings: readonly ClosingRecord[];
  readonly sources: ReadonlyMap<string, Source>;
  readonly problems: ReadonlyMap<bigint, string>;
  readonly batches: readonly number[];
  failures: number;
  /** Deletes everything, like a restore to an earlier state. */
  lose(): void;
}

export async function startFakeRecord(): Promise<FakeRecord> {
  const memory = new RecordInMemory();
  const server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    callers: { 'ces.lookup.v1.RecordService': { '*': ['acquisition'] } },
    callerTokens: acceptTokens({ acquisition: TOKEN }),
    logger: createLogger('test', 'silent'),
    routes: (router) => router.service(RecordService, memory.handlers()),
  });
  return Object.assign(memory, {
    url: server.url,
    token: TOKEN,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
}

class RecordInMemory {
  readonly observations = new Map<string, ObservationRecord & { id: bigint }>();
  readonly closings: ClosingRecord[] = [];
  readonly sources = new Map<string, Source>();
  readonly problems = new Map<bigint, string>();
  readonly batches: number[] = [];
  failures = 0;
  readonly #companies = new Map<string, bigint>();
  #tx = 100n;

  handlers(): Partial<ServiceImpl<typeof RecordService>> {
    return {
      registerSource: ({ source }) => {
        if (source) this.sources.set(source.name, source);
        return { changed: true };
      },
      recordEvidence: ({ source, observations }) => {
        this.#failAsWanted();
        this.batches.push(observations.length);
        this.#tx += 1n;
        return { tx: this.#tx, observations: observations.map((row) => this.#record(source, row)) };
      },
      getEvidence: ({ observationId }) => {
        const record = [...this.observations.values()].find((row) => row.id === observationId);
        return record ? { record } : {};
      },
      recordClosings: ({ closings }) => {
        this.closings.push(...closings);
        this.#tx += 1n;
        return { tx: this.#tx, closings: closings.map(() => ({ outcome: RecordOutcome.CREATED })) };
      },
      listEvidence: ({ afterId }) => ({ evidence: this.#evidence().filter((row) => row.id > afterId), hasMore: false }),
      recordVerification: ({ results }) => {
        for (const { evidenceId, problem } of results) this.problems.set(evidenceId, problem);
        return {};
      },
    };
  }

  lose(): void {
    this.observations.clear();
    this.sources.clear();
    this.closings.length = 0;
  }

  #failAsWanted(): void {
    if (this.failures <= 0) return;
    this.failures -= 1;
    throw new Error('down');
  }

  #record(source: string, row: ObservationRecord) {
    const name = `${source} ${row.key}`;
    const known = this.observations.get(name);
    const company = row.company?.key ?? '';
    const companyId = this.#companies.get(company) ?? BigInt(this.#companies.size + 1);
    this.#companies.set(company, companyId);
    const id = known?.id ?? BigInt(this.observations.size + 1);
    this.observations.set(name, { ...row, operationId: known?.operationId ?? row.operationId, id });
    const same = known && Buffer.compare(known.contentHash, row.contentHash) === 0;
    const outcome = same ? RecordOutcome.SEEN : known ? RecordOutcome.AMENDED : RecordOutcome.CREATED;
    return { outcome, observationId: id, companyId };
  }

  #evidence(): KeptEvidence[] {
    return [...this.observations].map(
      ([name, row]) =>
        ({ id: row.id, observationId: row.id, source: name.split(' ')[0], evidence: row.evidence[0] }) as KeptEvidence,
    );
  }
}
