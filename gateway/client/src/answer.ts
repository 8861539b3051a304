import { CesError } from './error.ts';
import type { CesHeaders, CesResponse } from './fetch.ts';
import type { Allowance, Operation as Usage } from './generated/openapi.ts';
import type { CesRequest } from './request.ts';

const LONGEST_WAIT_MS = 31_557_600_000_000;

export type JsonObject = { readonly [member: string]: unknown };

export interface CesAnswer {
  readonly status: number;
  readonly headers: CesHeaders;
  readonly body: JsonObject;
}

/** Throws the CesError that an unsuccessful answer represents. */
export function readAnswer(request: CesRequest, response: CesResponse, text: string): CesAnswer {
  const { status, headers } = response;
  const value = parseJson(text);
  if (value === undefined && isJson(headers)) throw cutOff(request, headers);
  const body = isObject(value) ? value : undefined;
  if (isSuccess(status) && body) return { status, headers, body };
  throw errorOf(request, response, body);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** For an answer without the members that the caller needs. */
export function unexpectedAnswer(
  request: CesRequest,
  { status, headers }: Pick<CesAnswer, 'status' | 'headers'>,
): CesError {
  const proxy = `${request.method} ${request.path} got an answer (${status}) that is not one of the interface: check that baseUrl names the gateway, and what stands in between.`;
  return new CesError('unexpected_answer', proxy, { ...circumstances(request, headers), status });
}

export function isUsage(value: unknown): value is Usage {
  return isObject(value) && Number.isSafeInteger(value.id) && typeof value.status === 'string';
}

export function isAllowance(value: unknown): value is Allowance {
  return isObject(value) && Number.isSafeInteger(value.window_remaining);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Milliseconds until the time in `Retry-After`, which is a number of seconds or a date. */
export function retryAfterMs(headers: CesHeaders, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  return readWait(/^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now);
}

function errorOf(request: CesRequest, response: CesResponse, body: JsonObject | undefined): CesError {
  const { status, headers } = response;
  const { code, message, retry_at, retry_after_seconds } = isObject(body?.error) ? body.error : {};
  const retryAt = readInstant(retry_at);
  // Prefers durations, since the local clock may be wrong.
  const asked = typeof retry_after_seconds === 'number' ? readWait(retry_after_seconds * 1000) : retryAfterMs(headers);
  const waitMs = asked ?? (retryAt && readWait(retryAt.getTime() - Date.now()));
  const again = { retryAfterMs: waitMs, retryAt: retryAt ?? fromNow(waitMs) };
  if (isSuccess(response.status) || typeof code !== 'string' || typeof message !== 'string') {
    const { message: said, ...unexpected } = unexpectedAnswer(request, response);
    return new CesError('unexpected_answer', said, { ...unexpected, ...again });
  }
  return new CesError(code, message, {
    ...circumstances(request, headers),
    ...again,
    status,
    usage: isUsage(body?.usage) ? body.usage : undefined,
    allowance: isAllowance(body?.request_allowance) ? body.request_allowance : undefined,
  });
}

function circumstances({ requestKey }: CesRequest, headers: CesHeaders) {
  return { requestKey, requestId: headers.get('x-request-id') ?? undefined };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isJson(headers: CesHeaders): boolean {
  return /^application\/json\b/.test(headers.get('content-type') ?? '');
}

function cutOff(request: CesRequest, headers: CesHeaders): CesError {
  const { method, path } = request;
  return new CesError('connection_failed', `The answer to ${method} ${path} ends too early: try again.`, {
    ...circumstances(request, headers),
  });
}

function readInstant(value: unknown): Date | undefined {
  const instant = typeof value === 'string' ? new Date(value) : undefined;
  return instant && Number.isFinite(instant.getTime()) ? instant : undefined;
}

/** Or too long for a Date. */
function readWait(ms: number): number | undefined {
  return Math.abs(ms) <= LONGEST_WAIT_MS ? Math.max(0, ms) : undefined;
}

function fromNow(ms: number | undefined): Date | undefined {
  return ms === undefined ? undefined : new Date(Date.now() + ms);
}
