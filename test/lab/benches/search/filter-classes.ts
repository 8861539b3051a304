import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type SearchFilters, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { EVENT_KINDS } from './generated-record.ts';

export interface FilterClass {
  readonly name: string;
  readonly since?: Date;
  readonly kind?: Kind;
  readonly country?: Country;
}

const WINDOW_MS = 30 * 86_400_000;

export function filterClasses(now: Date): readonly FilterClass[] {
  const since = new Date(now.getTime() - WINDOW_MS);
  const narrow = { kind: Kind.FACILITY_EXPANSION, country: Country.US };
  return [
    { name: '30 days', since },
    { name: '30 days, kind, country', since, ...narrow },
    { name: 'kind, country', ...narrow },
    { name: 'no filter' },
  ];
}

export function searchFilters({ since, kind, country }: FilterClass): SearchFilters {
  return create(SearchFiltersSchema, {
    kinds: kind === undefined ? [...EVENT_KINDS] : [kind],
    countries: country === undefined ? [] : [country],
    ...(since && { occurredAfter: timestampFromDate(since) }),
  });
}
