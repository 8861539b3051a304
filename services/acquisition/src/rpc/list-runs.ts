import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListRunsRequest,
  ListRunsResponseSchema,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { listRuns as readRuns } from '../db/source-run.ts';
import type { Dependencies } from './dependencies.ts';
import { requireSource } from './require-source.ts';
import { toRunMessage } from './run-message.ts';

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
