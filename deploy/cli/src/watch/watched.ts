import {
  type CesClient,
  type CompanyResult,
  type CompanySearchFilters,
  type Observation,
  type ObservationLookupResult,
  type Operation,
  type Price,
  priceOf,
  type SupportingObservation,
} from '@ces/client';

export type FoundObservation = (Observation | SupportingObservation) & {
  readonly company: { readonly id: number; readonly name: string };
};

interface PageRequest {
  readonly since: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly requestKey: string;
}

export interface Page {
  readonly observations: readonly FoundObservation[];
  readonly asOf: string;
  readonly nextCursor: string | null;
  readonly operation: Operation<unknown>;
}

export interface Watched {
  readonly identity: string;
  /** How far each round overlaps the previous one, because records may be stored late. */
  readonly overlapMs: number;
  pagePrice(limit: number): Price;
  /** The largest page size up to `limit` that `unitsLeft` certainly covers; 0 when none does. */
  affordableLimit(limit: number, unitsLeft: number): number;
  /** The maximum price of a round; undefined: it depends on the number of pages. */
  roundPrice(limit: number): Price | undefined;
  ask(client: CesClient, request: PageRequest): Promise<Page>;
}

const SHORTLIST = 100;
/** A generous bound for the time from collection to the first search that finds the record. */
const OVERLAP_MS = 10 * 60_000;

export function watchedSearch(query: string, filters: CompanySearchFilters = {}): Watched {
  return {
    identity: JSON.stringify({ query, filters }),
    overlapMs: OVERLAP_MS,
    pagePrice: (limit) => priceOf.search({ limit }),
    affordableLimit: (limit, unitsLeft) => Math.max(0, Math.min(limit, unitsLeft - 1)),
    roundPrice: (limit) => ({ requestUnits: Math.ceil(SHORTLIST / limit), deliveredUnits: SHORTLIST }),
    async ask(client, { since, limit, cursor, requestKey }) {
      const input = {
        query,
        filters: { ...filters, observed_after: since },
        limit,
        ...(cursor !== undefined && { cursor }),
      };
      const operation = client.searchCompanies(input, { requestKey });
      const result: CompanyResult = await operation.done();
      const observations = result.companies.flatMap(({ id, name, observations }) =>
        // An older observation may accompany the new one as support.
        observations
          .filter(({ observed_at: at }) => Date.parse(at) > Date.parse(since))
          .map((observation) => ({ ...observation, company: { id, name } })),
      );
      return { observations, asOf: result.as_of, nextCursor: result.next_cursor, operation };
    },
  };
}

/** `since` is exact, so rounds do not overlap. */
export function watchedDomains(domains: readonly string[]): Watched {
  return {
    identity: JSON.stringify({ domains: domains.toSorted() }),
    overlapMs: 0,
    pagePrice: () => priceOf.observationLookup({ domains }),
    affordableLimit: (limit, unitsLeft) => (unitsLeft > new Set(domains).size ? limit : 0),
    roundPrice: () => undefined,
    async ask(client, { since, cursor, requestKey }) {
      const operation = client.lookUpObservations(
        { domains, since, ...(cursor !== undefined && { cursor }) },
        { requestKey },
      );
      const result: ObservationLookupResult = await operation.done();
      return { observations: result.observations, asOf: result.as_of, nextCursor: result.next_cursor, operation };
    },
  };
}
