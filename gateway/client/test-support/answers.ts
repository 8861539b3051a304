import type { CompanyResult, Usage } from '../src/index.ts';
import { type Act, json } from './scripted-server.ts';

const request_allowance = { window_seconds: 18_000, window_remaining: 59, weekly_remaining: 499 };

export function usageOf(fields: Partial<Usage> = {}): Usage {
  const units = { request_units: 0, delivered_units: 0, fresh_evidence_units: 0 };
  return { id: 7, status: 'pending', request_key: 'a-key', ...units, ...fields };
}

const settled = usageOf({ status: 'delivered', request_units: 1, delivered_units: 2 });

/** A page without companies, since no test reads them. */
export function companyResult(fields: Partial<CompanyResult> = {}): CompanyResult {
  return {
    usage: settled,
    request_allowance,
    coverage_status: 'partial',
    retrieval: 'lexical',
    as_of: '2026-11-20T09:30:00.000Z',
    next_cursor: null,
    withheld_units: 0,
    delivery_unit: 'company',
    companies: [],
    ranking: 'query_relevance_baseline',
    candidate_limit: 100,
    coverage: { requested_companies: 10, returned_companies: 0, stop_reason: 'page_filled', limitations: [] },
    ...fields,
  };
}

export const delivered: Act = json(200, companyResult());

export function pending(retryAfterSeconds = 0): Act {
  return json(202, { usage: usageOf(), request_allowance }, { 'retry-after': String(retryAfterSeconds) });
}

export function refusal(status: number, code: string, more: object = {}, headers: Record<string, string> = {}): Act {
  return json(status, { error: { code, message: `The message of ${code}.`, ...more } }, headers);
}

export function failure(code: string): Act {
  const error = { code, message: `The message of ${code}.` };
  return json(422, { error, usage: usageOf({ status: 'failed' }), request_allowance });
}
