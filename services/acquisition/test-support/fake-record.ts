import { startRpcServer } from '@ces/chassis/rpc/server';
import { createLogger } from '@ces/chassis/telemetry/log';
import {
  type ClosingRecord,
  type ObservationRecord,
  RecordOutcome,
  type Source,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { type KeptEvidence, RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';

const TOKEN = 'acquisition-token';

/** A record in memory behind the real RPCs: identity, later occurrences and amendments, no resolution. */
export interface FakeRecord extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly observations: ReadonlyMap<string, ObservationRecord>;
  readonly closings: readonly ClosingRecord[];
  readonly sources: ReadonlyMap<string, Source>;
  /** Problems by evidence row, as the last verification left them. */
  readonly problems: ReadonlyMap<bigint, string>;
  /** Sizes of the batches that came. */
  readonly batches: readonly number[];
  /** The next so many calls are not answered as long as it is positive. */
  failures: number;
}

export async function startFakeRecord(): Promise<FakeRecord> {
  const observations = new Map<string, ObservationRecord & { id: bigint }>();
  const closings: ClosingRecord[] = [];
  const sources = new Map<string, Source>();
  const problems = new Map<bigint, string>();
  const batches: number[] = [];
  const state = { failures: 0, tx: 100n };
  const companies = new Map<string, bigint>();
  const server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    callers: { 'ces.lookup.v1.RecordService': { '*': ['acquisition'] } },
    callerTokens: new Map([['acquisition', TOKEN]]),
    logger: createLogger('test', 'silent'),
    routes: (router) =>
      router.service(RecordService, {
        registerSource: ({ source }) => {
          if (source) sources.set(source.name, source);
          return { changed: true };
        },
        recordEvidence: ({ source, observations: rows }) => {
          if (state.failures > 0) {
            state.failures -= 1;
            throw new Error('down');
          }
          batches.push(rows.length);
          state.tx += 1n;
          return { tx: state.tx, observations: rows.map((row) => record(source, row)) };
        },
        getEvidence: ({ observationId }) => {
          const record = [...observations.values()].find((row) => row.id === observationId);
          return record ? { record } : {};
        },
        recordClosings: ({ closings: rows }) => {
          closings.push(...rows);
          state.tx += 1n;
          return { tx: state.tx, closings: rows.map(() => ({ outcome: RecordOutcome.CREATED })) };
        },
        listEvidence: ({ afterId }) => ({ evidence: evidence().filter((row) => row.id > afterId), hasMore: false }),
        recordVerification: ({ results }) => {
          for (const { evidenceId, problem } of results) problems.set(evidenceId, problem);
          return {};
        },
      }),
  });

  function record(source: string, row: ObservationRecord) {
    const key = `${source} ${row.key}`;
    const known = observations.get(key);
    const name = row.company?.key ?? '';
    const companyId = companies.get(name) ?? BigInt(companies.size + 1);
    companies.set(name, companyId);
    const id = known?.id ?? BigInt(observations.size + 1);
    observations.set(key, { ...row, operationId: known?.operationId ?? row.operationId, id });
    const same = known && Buffer.compare(known.contentHash, row.contentHash) === 0;
    const outcome = same ? RecordOutcome.SEEN : known ? RecordOutcome.AMENDED : RecordOutcome.CREATED;
    return { outcome, observationId: id, companyId };
  }

  function evidence(): KeptEvidence[] {
    return [...observations].map(
      ([key, row]) =>
        ({ id: row.id, observationId: row.id, source: key.split(' ')[0], evidence: row.evidence[0] }) as KeptEvidence,
    );
  }

  return {
    url: server.url,
    token: TOKEN,
    observations,
    closings,
    sources,
    problems,
    batches,
    get failures() {
      return state.failures;
    },
    set failures(count: number) {
      state.failures = count;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
