import Type, { type Static } from 'typebox';
import { Allowance, Operation } from './operation.ts';
import { closed } from './primitives.ts';

interface CodeMeaning {
  readonly status: number;
  readonly meaning: string;
}

/** Codes with HTTP status (gateway/docs/contract.md, Statuses and headers; decision 0034). */
export const ERROR_CODES = {
  invalid_api_key: { status: 401, meaning: 'credential missing or revoked' },
  subscription_required: { status: 402, meaning: 'subscription neither active nor trialing' },
  usage_not_found: { status: 404, meaning: 'no usage with that id in this account' },
  company_not_found: { status: 404, meaning: 'no deliverable company has that id' },
  observation_not_found: { status: 404, meaning: 'no deliverable observation has that id' },
  not_found: { status: 404, meaning: 'no such route' },
  method_not_allowed: { status: 405, meaning: 'the route does not take this method; see `Allow`' },
  request_timeout: { status: 408, meaning: 'the request did not arrive in time' },
  payload_too_large: { status: 413, meaning: 'the body is too large' },
  uri_too_long: { status: 414, meaning: 'the address is too long' },
  unsupported_media_type: { status: 415, meaning: 'the body is not plain application/json in UTF-8' },
  invalid_search: { status: 422, meaning: 'refused input of a search or look-up; nothing was spent, the key is free' },
  invalid_request: { status: 422, meaning: 'refused input of any other call (with status 400: not HTTP)' },
  idempotency_key_required: { status: 422, meaning: 'Idempotency-Key is missing or blank' },
  idempotency_conflict: { status: 422, meaning: 'the key belongs to different inputs' },
  invalid_cursor: { status: 422, meaning: 'the cursor cannot be used; restart without one' },
  planning_unavailable: { status: 422, meaning: 'the search could not be prepared; the same key replays this' },
  search_failed: { status: 422, meaning: 'processing failed for good; the same key replays this' },
  usage_expired: { status: 422, meaning: 'the operation expired; submit a new request key' },
  request_limit_reached: { status: 429, meaning: 'the allowance of the subscription is used up' },
  rate_limited: { status: 429, meaning: 'too many calls a second; no allowance is involved' },
  headers_too_large: { status: 431, meaning: 'the request headers are too large' },
  internal_error: { status: 500, meaning: 'a fault of the service; try again with the same key' },
  service_unavailable: {
    status: 503,
    meaning: 'a part of the service is not reachable or has too much to do; try again with the same key',
  },
} as const satisfies Record<string, CodeMeaning>;

export type ErrorCode = keyof typeof ERROR_CODES;

export const ErrorBody = closed('ErrorBody', {
  error: closed('Error', {
    code: Type.String({ description: 'What clients branch on; values may be added.' }),
    message: Type.String({ description: 'What is wrong and what to do, for people.' }),
    retry_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the same call would be admitted; advisory.' }),
    ),
    retry_after_seconds: Type.Optional(Type.Integer({ minimum: 0, description: 'Seconds from now to `retry_at`.' })),
  }),
  usage: Type.Optional(Operation),
  request_allowance: Type.Optional(Allowance),
});
export type ErrorBody = Static<typeof ErrorBody>;
