import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type {
  GetRunRequest,
  GetRunResponseSchema,
  ListRunsRequest,
  ListRunsResponseSchema,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { RunState, RunTrigger, type SourceRunSchema } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { findRun, type Reason, listRuns as readRuns, type SourceRun } from '../db/source-run.ts';
import { requireSource } from './check-setting.ts';
import type { Dependencies } from './dependencies.ts';

const TRIGGERS = {
  schedule: RunTrigger.SCHEDULE,
  manual: RunTrigger.MANUAL,
  file: RunTrigger.FILE,
  operation: RunTrigger.OPERATION,
} as const;

const STATES = {
  running: RunState.RUNNING,
  done: RunState.DONE,
  drift: RunState.DRIFT,
  failed: RunState.FAILED,
  stopped: RunState.STOPPED,
} as const;

export function toRunMessage(run: SourceRun): MessageInitShape<typeof SourceRunSchema> {
  const { counts } = run;
  return {
    id: run.id,
    source: run.source,
    trigger: TRIGGERS[run.trigger],
    state: STATES[run.state],
    document: run.document,
    startedAt: timestampFromDate(run.startedAt),
    ...(run.endedAt && { endedAt: timestampFromDate(run.endedAt) }),
    failure: run.failure,
    documents: BigInt(counts.documents ?? 0),
    requests: BigInt(counts.requests ?? 0),
    bytes: BigInt(counts.bytes ?? 0),
    records: BigInt(counts.records ?? 0),
    newRecords: BigInt(counts.new_records ?? 0),
    created: BigInt(counts.created ?? 0),
    seen: BigInt(counts.seen ?? 0),
    amended: BigInt(counts.amended ?? 0),
    companies: BigInt(counts.companies ?? 0),
    closings: BigInt(counts.closings ?? 0),
    leftOut: (counts.left_out ?? []).map(toReason),
    refused: (counts.refused ?? []).map(toReason),
    driftMissing: counts.drift_missing ?? [],
    driftNew: counts.drift_new ?? [],
  };
}

function toReason({ field, reason, count, example }: Reason) {
  return { field, reason, count: BigInt(count), example };
}

export async function getRun(
  { pool }: Dependencies,
  { runId }: GetRunRequest,
): Promise<MessageInitShape<typeof GetRunResponseSchema>> {
  const run = await findRun(pool, runId);
  if (!run) throw fail(FailureCode.NOT_FOUND, 'There is no run of that number.');
  return { run: toRunMessage(run) };
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;

export async function listRuns(
  dependencies: Dependencies,
  { source, limit }: ListRunsRequest,
): Promise<MessageInitShape<typeof ListRunsResponseSchema>> {
  const name = source === '' ? undefined : requireSource(dependencies, source).name;
  const runs = await readRuns(dependencies.pool, name, Math.min(limit > 0 ? limit : DEFAULT_LIMIT, MAX_LIMIT));
  return { runs: runs.map(toRunMessage) };
}
