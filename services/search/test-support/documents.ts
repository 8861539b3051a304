import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { CompanyDocumentSchema, ObservationDocumentSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { type SearchFilters, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';

export const ACTIVITY_KINDS = [1, 2, 3, 4, 5, 6, 7, 8] as const satisfies readonly Kind[];

export function filters(init: MessageInitShape<typeof SearchFiltersSchema> = {}): SearchFilters {
  return create(SearchFiltersSchema, { kinds: [...ACTIVITY_KINDS], ...init });
}

export function observation(
  id: bigint,
  companyId: bigint,
  observedFact: string,
  init: MessageInitShape<typeof ObservationDocumentSchema> = {},
): MessageInitShape<typeof ObservationDocumentSchema> {
  return {
    id,
    version: 1n,
    companyId,
    observedFact,
    kind: Kind.FACILITY_EXPANSION,
    country: Country.US,
    occurredAt: timestampFromDate(new Date('2026-10-01T00:00:00Z')),
    observedAt: timestampFromDate(new Date('2026-10-02T00:00:00Z')),
    recordedAt: timestampFromDate(new Date('2026-10-03T00:00:00Z')),
    ...init,
  };
}

export function company(
  id: bigint,
  name: string,
  init: MessageInitShape<typeof CompanyDocumentSchema> = {},
): MessageInitShape<typeof CompanyDocumentSchema> {
  return { id, version: 1n, name, country: Country.US, survivorId: id, ...init };
}

export function instant(text: string) {
  return timestampFromDate(new Date(text));
}
