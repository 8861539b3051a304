import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListSourcesResponseSchema } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { listSources as readSources } from '../db/source.ts';
import type { Dependencies } from '../dependencies.ts';

export async function listSources({ pool }: Dependencies): Promise<MessageInitShape<typeof ListSourcesResponseSchema>> {
  const sources = await readSources(pool);
  return {
    sources: sources.map(({ licenceUri = '', homepage = '', ...source }) => ({ ...source, licenceUri, homepage })),
  };
}
