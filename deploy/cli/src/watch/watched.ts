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

/** An observation with its company, however it was found. */
export type FoundObservation = (Observation | SupportingObservation) & {
  readonly company: { readonly id: number; readonly name: string };
};

/** What is asked for in a page of a round. */
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

/** Something that can be watched: how a round asks for what is new, and what that can cost. */
export interface Watched {
  /** Tells it from anything else that can be watched. */
  readonly identity: string;
  /** What is asked for again in the next round, in milliseconds, since it may have been recorded late. */
  readonly overlapMs: number;
  /** The most that a page costs. */
  pagePrice(limit: number): Price;
  /** The page size up to `limit` that so many units pay for in any case; 0: none does. */
  affordableLimit(limit: number, unitsLeft: number): number;
  /** The most that a round costs; undefined: as many pages as there is new. */
  roundPrice(limit: number): Price | undefined;
  ask(client: CesClient, request: PageRequest): Promise<Page>;
}

/** A search without a target has at most so many companies on its shortlist. */
const SHORTLIST = 100;
/** From the collection of a record to the first search that finds it, generously. */
const OVERLAP_MS = 10 * 60_000;

/** A search repeated for what was collected since. */
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
        // An older one may stand beside it as support.
        observations
          .filter(({ observed_at: at }) => Date.parse(at) > Date.parse(since))
          .map((observation) => ({ ...observation, company: { id, name } })),
      );
      return { observations, asOf: result.as_of, nextCursor: result.next_cursor, operation };
    },
  };
}

/** What was recorded since about the companies of some websites; to the instant, so that nothing is asked for twice. */
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
