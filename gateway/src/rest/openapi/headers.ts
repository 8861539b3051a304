import type { CalledAction } from '../../outcome.ts';
import { answersOperation, type Endpoint, needsKey } from '../route.ts';
import type { JsonObject } from './components.ts';

const text = (description: string, example: string): JsonObject => ({
  description,
  schema: { type: 'string' },
  example,
});
const number = (description: string, example: number): JsonObject => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

/** gateway/docs/contract.md, Statuses and headers. */
export const HEADERS = {
  'X-Request-Id': text('Names this call; quote it when something is wrong.', '0a3f4c1e-5b67-4d89-8a21-3c4d5e6f7081'),
  traceparent: text(
    "W3C trace context: the caller's trace, or a new one.",
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  ),
  'Cache-Control': text('Answers are for the caller alone.', 'private, no-store'),
  'Usage-Id': number('The operation of this call.', 1287),
  'Idempotent-Replayed': text('`true` whenever the key was known before this call, 202 included.', 'true'),
  'Units-Settled': text('What the operation settled; repeated on replay.', 'request=1, delivered=7, fresh=3'),
  'RateLimit-Policy': text(
    'Request units of window and week (draft-ietf-httpapi-ratelimit-headers-11).',
    '"window";q=60;w=18000, "week";q=500;w=604800',
  ),
  RateLimit: text(
    'What is left, and seconds until the oldest unit leaves.',
    '"window";r=59;t=17990, "week";r=499;t=604790',
  ),
  'Retry-After': number('Seconds to wait before the next try.', 2),
  Location: text('Where to poll.', '/api/usages/1287'),
  Link: text(
    '`rel="license"` names licence and attribution of each source; deprecated routes add `rel="deprecation"` and `rel="successor-version"`.',
    '</sources>; rel="license"',
  ),
  Deprecation: text('When the route was deprecated (RFC 9745); no removal date is set.', '@1767225600'),
  'WWW-Authenticate': text('The scheme to authenticate with.', 'Bearer'),
} as const satisfies Record<string, JsonObject>;

type HeaderName = keyof typeof HEADERS;

const ALWAYS: readonly HeaderName[] = ['X-Request-Id', 'traceparent', 'Cache-Control'];
const OF_ALLOWANCE: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit'];
const OF_OPERATION: readonly HeaderName[] = ['Usage-Id', 'Idempotent-Replayed', 'Units-Settled', ...OF_ALLOWANCE];

const OF_REPORTS: Partial<Record<CalledAction, readonly HeaderName[]>> = {
  allowance: OF_ALLOWANCE,
  usages: [],
  statement: [],
};

export function headersOf(endpoint: Endpoint, status: number): JsonObject {
  const ofSuccessor: readonly HeaderName[] = endpoint.successor === undefined ? [] : ['Deprecation', 'Link'];
  const names = [...ALWAYS, ...specific(endpoint, status), ...ofSuccessor];
  return Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function specific(endpoint: Endpoint, status: number): readonly HeaderName[] {
  const isKeyed = needsKey(endpoint);
  const ofOperation = OF_OPERATION.filter((name) => isKeyed || name !== 'Idempotent-Replayed');
  const own = answersOperation(endpoint) ? ofOperation : [];
  if (status === 200) return OF_REPORTS[endpoint.action] ?? [...own, 'Link'];
  if (status === 202) return [...own, 'Location', 'Retry-After'];
  if (status === 404 || status === 422) return own;
  if (status === 401) return ['WWW-Authenticate'];
  if (status === 429) return isKeyed ? ['Retry-After', ...OF_ALLOWANCE] : ['Retry-After'];
  return status === 503 ? ['Retry-After'] : [];
}
