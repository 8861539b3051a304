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

interface HeaderContext {
  readonly status: number;
  readonly operation: boolean;
  /** Set when the route answers with neither an operation nor evidence. */
  readonly report: 'allowance' | 'records' | undefined;
  readonly keyed: boolean;
  readonly deprecated: boolean;
}

export function headersOf(context: HeaderContext): JsonObject {
  const names = [...ALWAYS, ...specific(context), ...(context.deprecated ? (['Deprecation', 'Link'] as const) : [])];
  return Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function specific({ status, operation, report, keyed }: HeaderContext): readonly HeaderName[] {
  const ofOperation = operation ? OF_OPERATION.filter((name) => keyed || name !== 'Idempotent-Replayed') : [];
  if (status === 200 && report) return report === 'allowance' ? OF_ALLOWANCE : [];
  if (status === 200) return [...ofOperation, 'Link'];
  if (status === 202) return [...ofOperation, 'Location', 'Retry-After'];
  if (status === 404 || status === 422) return ofOperation;
  if (status === 401) return ['WWW-Authenticate'];
  if (status === 429) return keyed ? ['Retry-After', ...OF_ALLOWANCE] : ['Retry-After'];
  return status === 503 ? ['Retry-After'] : [];
}
