import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { type CompanyRecord, type ObservationRecord, RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';

/** An in-memory record that is idempotent by (source, record key), like the real one. */
export interface FakeRecord {
  readonly companies: Map<string, CompanyRecord>;
  readonly observations: Map<string, ObservationRecord>;
  outages: number;
  onBatch: () => void;
  readonly routes: (router: ConnectRouter) => void;
}

export function createFakeRecord(): FakeRecord {
  const record: FakeRecord = {
    companies: new Map(),
    observations: new Map(),
    outages: 0,
    onBatch: () => undefined,
    routes: (router) =>
      router.service(RecordService, {
        getRecordStatus: () => ({ companies: BigInt(record.companies.size), newest: { tx: 9n, seq: 9n } }),
        recordCompanies: ({ source, companies }) => ({
          companies: companies.map((company) => {
            const { outcome, id } = put(record.companies, `${source}/${company.key}`, company);
            return { outcome, companyId: id };
          }),
        }),
        recordEvidence: ({ source, observations }) => {
          if (record.outages > 0) {
            record.outages -= 1;
            throw fail(FailureCode.SERVICE_UNAVAILABLE, 'not now');
          }
          const outcomes = observations.map((observation) => {
            if (!record.companies.has(`${source}/${observation.companyKey}`))
              return { outcome: RecordOutcome.REFUSED, reason: 'its company is not recorded' };
            const { outcome, id } = put(record.observations, `${source}/${observation.key}`, observation);
            return { outcome, observationId: id };
          });
          record.onBatch();
          return { observations: outcomes };
        },
      }),
  };
  return record;
}

function put<T>(rows: Map<string, T>, recordKey: string, row: T): { outcome: RecordOutcome; id: bigint } {
  const outcome = rows.has(recordKey) ? RecordOutcome.SEEN : RecordOutcome.CREATED;
  rows.set(recordKey, row);
  return { outcome, id: BigInt([...rows.keys()].indexOf(recordKey) + 1001) };
}
