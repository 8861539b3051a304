import type { CompanyLookupInput } from './inputs.ts';

/** The units that admission reserves for a call; its maximum cost. */
export interface Price {
  readonly requestUnits: number;
  readonly deliveredUnits: number;
}

export interface SearchPriceInput {
  readonly limit?: number | undefined;
  readonly target?: number | undefined;
  /** For a later page: `coverage.available_companies`. */
  readonly available?: number | undefined;
  /** For a later page: number of companies on the pages before. */
  readonly returned?: number | undefined;
}

const DEFAULT_LIMIT = 10;

/** The maximum cost of a call, by the rules of admission. Retries and polls are free. */
export const priceOf = {
  /** A page of a search: `limit` companies, or what the shortlist has left. */
  search({ limit, target, available, returned = 0 }: SearchPriceInput = {}): Price {
    const effective = limit ?? Math.min(DEFAULT_LIMIT, target ?? DEFAULT_LIMIT);
    const left = available === undefined ? effective : Math.max(0, available - returned);
    return { requestUnits: 1, deliveredUnits: Math.min(effective, left) };
  },

  /** One company for each distinct id or hostname. */
  companyLookup(input: CompanyLookupInput): Price {
    const distinct = input.ids ? new Set(input.ids) : new Set(input.domains?.map(normaliseHostname));
    return { requestUnits: 1, deliveredUnits: distinct.size };
  },

  observationLookup({ domains }: { readonly domains: readonly string[] }): Price {
    return { requestUnits: 1, deliveredUnits: new Set(domains.map(normaliseHostname)).size };
  },

  diagnostic(): Price {
    return { requestUnits: 0, deliveredUnits: 0 };
  },
};

/** As the service does, so that two spellings of a hostname are one input. */
function normaliseHostname(text: string): string {
  const lower = text.trim().replace(/\.$/, '').toLowerCase();
  if (/^[a-z0-9._-]*$/.test(lower)) return lower;
  try {
    return new URL(`http://${lower}`).hostname;
  } catch {
    return lower;
  }
}
