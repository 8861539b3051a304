import { range, term, terms } from '../query/query.ts';
import type { MultiSearchItem, SearchAnswer } from '../search-many.ts';

const COMPANIES = 10_000;

export function companiesOfDomains(hostnames: readonly string[], now: number, index: string): MultiSearchItem {
  const filter = [terms('domains.hostname', hostnames), range('domains.supported_until', { gt: now })];
  return {
    index,
    body: {
      query: {
        bool: { filter: [term('tombstone', false), { nested: { path: 'domains', query: { bool: { filter } } } }] },
      },
      size: COMPANIES,
      sort: ['_doc'],
      track_total_hits: COMPANIES + 1,
      docvalue_fields: ['survivor_id'],
      _source: false,
      stored_fields: '_none_',
    },
  };
}

export function survivorsOf({ hits }: SearchAnswer): number[] {
  return [...new Set(hits.map(({ fields }) => Number(fields?.survivor_id?.[0])))];
}
