import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { countryOf, kindOf } from '@ces/proto/catalog';
import type { ListSourcesResponseSchema } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { SourceCoverageSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { type Coverage, listCoverage } from '../db/coverage.ts';
import { listSources as readSources } from '../db/source.ts';
import type { Dependencies } from '../dependencies.ts';

export async function listSources({ pool }: Dependencies): Promise<MessageInitShape<typeof ListSourcesResponseSchema>> {
  const [sources, coverage] = await Promise.all([readSources(pool), listCoverage(pool)]);
  return {
    sources: sources.map(({ licenceUri = '', homepage = '', readAt, ...source }) => ({
      ...source,
      licenceUri,
      homepage,
      ...(readAt && { readAt: timestampFromDate(readAt) }),
    })),
    coverage: coverage.map(toCoverage),
  };
}

function toCoverage(row: Coverage): MessageInitShape<typeof SourceCoverageSchema> {
  return {
    source: row.origin,
    kind: kindOf(row.kind),
    country: countryOf(row.country),
    weekCount: BigInt(row.weekCount),
    ...(row.newestAt && { newestAt: timestampFromDate(row.newestAt) }),
    ...(row.medianDelayS !== undefined && { medianDelayS: row.medianDelayS }),
    ...(row.slowDelayS !== undefined && { slowDelayS: row.slowDelayS }),
  };
}
