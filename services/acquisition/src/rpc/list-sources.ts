import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListSourcesResponseSchema } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import type { Dependencies } from './dependencies.ts';
import { readStatuses } from './source-status.ts';

export async function listSources(
  dependencies: Dependencies,
): Promise<MessageInitShape<typeof ListSourcesResponseSchema>> {
  const { sources, config } = dependencies;
  const { schedules, onDemand } = config;
  return { sources: await readStatuses(dependencies, sources.all), schedules, onDemand };
}
