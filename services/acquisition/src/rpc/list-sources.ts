import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListSourcesResponseSchema } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { countRawRecords } from '../db/raw-record.ts';
import { newestRuns } from '../db/source-run.ts';
import { defaultSourceState, readStates } from '../db/source-state.ts';
import type { Dependencies } from './dependencies.ts';
import { toSourceStatus } from './source-status.ts';

export async function listSources({
  pool,
  sources,
  config,
  clock,
}: Dependencies): Promise<MessageInitShape<typeof ListSourcesResponseSchema>> {
  const [states, runs, kept] = await Promise.all([
    readStates(pool),
    newestRuns(
      pool,
      sources.all.map(({ name }) => name),
    ),
    countRawRecords(pool),
  ]);
  const statuses = sources.all.map((source) =>
    toSourceStatus(source, {
      state: states.get(source.name) ?? defaultSourceState(source.name),
      secrets: config.secrets,
      lastRun: runs.get(source.name),
      rawRecords: kept.get(source.name) ?? 0n,
      now: clock.now(),
    }),
  );
  return { sources: statuses, schedules: config.schedules, onDemand: config.onDemand };
}
