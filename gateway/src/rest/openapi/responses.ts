import { ERROR_CODES, ErrorBody, type ErrorCode } from '../../schema/error.ts';
import { Pending } from '../../schema/operation.ts';
import { answersOperation, type Endpoint, needsKey, type Route, refusalOf } from '../route.ts';
import type { JsonObject, SchemaComponents } from './components.ts';
import { FAILED_CONTEXT, NOT_FOUND_CONTEXT, PENDING_EXAMPLE, RESULT_EXAMPLES } from './examples.ts';
import { headersOf } from './headers.ts';

const ON_EVERY_ROUTE: readonly ErrorCode[] = [
  ...(['invalid_api_key', 'subscription_required', 'request_timeout', 'uri_too_long', 'rate_limited'] as const),
  ...(['headers_too_large', 'internal_error', 'service_unavailable'] as const),
];
const ON_BODIES: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];
const STORED: readonly ErrorCode[] = ['planning_unavailable', 'search_failed', 'usage_expired'];

export function responsesOf(route: Route, components: SchemaComponents): JsonObject {
  const { endpoint } = route;
  const answer = (status: number, description: string, schema: object, content: JsonObject): JsonObject => ({
    description,
    headers: headersOf(endpoint, status),
    content: { 'application/json': { schema: components.refer(schema), ...content } },
  });
  const responses: Record<string, JsonObject> = {
    200: answer(200, endpoint.result.description, endpoint.result.schema, {
      example: plain(RESULT_EXAMPLES[endpoint.operationId] ?? {}),
    }),
  };
  if (answersOperation(endpoint))
    responses[202] = answer(202, 'Not finished: poll `Location`.', Pending, { example: plain(PENDING_EXAMPLE) });
  for (const [status, codes] of errorsByStatus(route))
    responses[status] = answer(status, describe(codes), ErrorBody, { examples: examplesOf(codes) });
  return responses;
}

function errorsByStatus({ method, endpoint }: Route): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>([[400, ['invalid_request']]]);
  const codes = [...ON_EVERY_ROUTE, ...(method === 'POST' ? ON_BODIES : []), ...specificErrors(endpoint)];
  for (const code of codes) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

function specificErrors(endpoint: Endpoint): readonly ErrorCode[] {
  const { action, notFound, query, body } = endpoint;
  const isKeyed = needsKey(endpoint);
  const isCharged = isKeyed && action !== 'diagnostic';
  const { properties } = (query ?? body?.schema ?? {}) as { readonly properties?: object };
  const codes: readonly (readonly [ErrorCode | undefined, boolean])[] = [
    [notFound, true],
    [refusalOf(endpoint), true],
    ['invalid_search', isKeyed],
    ['idempotency_key_required', isKeyed],
    ['idempotency_conflict', isKeyed],
    ['invalid_cursor', properties !== undefined && 'cursor' in properties],
    ['planning_unavailable', action === 'company_search' || action === 'usage'],
    ['search_failed', isCharged || action === 'usage'],
    ['usage_expired', answersOperation(endpoint)],
    ['request_limit_reached', isCharged],
  ];
  return [...new Set(codes.flatMap(([code, applies]) => (code !== undefined && applies ? [code] : [])))];
}

function describe(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].meaning}.`).join(' ');
}

function examplesOf(codes: readonly ErrorCode[]): JsonObject {
  return Object.fromEntries(codes.map((code) => [code, { value: plain(exampleOf(code)) }]));
}

function exampleOf(code: ErrorCode): ErrorBody {
  const { meaning } = ERROR_CODES[code];
  const error = { code, message: `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.` };
  if (STORED.includes(code)) return { error, ...FAILED_CONTEXT };
  if (code === 'company_not_found') return { error, ...NOT_FOUND_CONTEXT };
  if (code === 'request_limit_reached')
    return { error: { ...error, retry_at: '2026-11-20T10:00:00.000Z', retry_after_seconds: 1800 } };
  return { error: code === 'rate_limited' ? { ...error, retry_after_seconds: 1 } : error };
}

function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value));
}
