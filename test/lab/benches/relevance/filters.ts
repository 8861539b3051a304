/** Kinds that the public interface accepts as filters. */
const FILTER_KINDS: ReadonlySet<unknown> = new Set(['company_profile', 'procurement_request', 'facility_expansion']);
const LONG_AGO = '1990-01-01T00:00:00Z';

type Filters = Readonly<Record<string, unknown>>;

/**
 * Converts the filters of a judged query to public ones. Drops kinds that are no filter values.
 * Sets an early cutoff except for profiles, because many events are older than the default window.
 */
export function publicFilters(filters: Filters): Filters {
  const { kinds, occurred_after: occurredAfter = LONG_AGO, ...rest } = filters;
  const named = Array.isArray(kinds) ? kinds : [];
  const allowed = named.every((kind) => FILTER_KINDS.has(kind));
  return {
    ...rest,
    ...(allowed && named.length > 0 && { kinds: named }),
    ...(named.includes('company_profile') ? {} : { occurred_after: occurredAfter }),
  };
}
