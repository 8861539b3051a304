import type { CompanyLookupInput } from './inputs.ts';

/** Units that admission reserves for a call, and the most that it can cost. */
export interface Price {
  readonly requestUnits: number;
  readonly deliveredUnits: number;
}

/** What decides the price of a search. */
export interface SearchPriceInput {
  readonly limit?: number | undefined;
  readonly target?: number | undefined;
  /** Of a later page: `coverage.available_companies`. */
  readonly available?: number | undefined;
  /** Of a later page: how many companies the pages before have returned. */
  readonly returned?: number | undefined;
}

const DEFAULT_LIMIT = 10;

/** The most that a call can cost, before it is sent; by the same rules as admission. A retry or poll costs nothing. */
export const priceOf = {
  /** A page of a search: `limit` companies, or as many as the shortlist has left. */
  search({ limit, target, available, returned = 0 }: SearchPriceInput = {}): Price {
    const effective = limit ?? Math.min(DEFAULT_LIMIT, target ?? DEFAULT_LIMIT);
    const left = available === undefined ? effective : Math.max(0, available - returned);
    return { requestUnits: 1, deliveredUnits: Math.min(effective, left) };
  },

  /** As many companies as distinct ids or hostnames. */
  companyLookup(input: CompanyLookupInput): Price {
    const distinct = input.ids ? new Set(input.ids) : new Set(input.domains?.map(normaliseHostname));
    return { requestUnits: 1, deliveredUnits: distinct.size };
  },

  /** As many companies as distinct hostnames. */
  observationLookup({ domains }: { readonly domains: readonly string[] }): Price {
    return { requestUnits: 1, deliveredUnits: new Set(domains.map(normaliseHostname)).size };
  },

  diagnostic(): Price {
    return { requestUnits: 0, deliveredUnits: 0 };
  },
};

/** Trimmed, lower case, one trailing dot removed, A-labels: two spellings of one hostname are one input. */
function normaliseHostname(text: string): string {
  const lower = text.trim().replace(/\.$/, '').toLowerCase();
  if (/^[a-z0-9._-]*$/.test(lower)) return lower;
  try {
    return new URL(`http://${lower}`).hostname;
  } catch {
    // None at all, which the service will say.
    return lower;
  }
}
