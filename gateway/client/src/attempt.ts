import { type CesAnswer, readAnswer } from './answer.ts';
import { CesError } from './error.ts';
import type { CesFetch, CesResponse } from './fetch.ts';
import { readText } from './read-text.ts';
import type { CesRequest } from './request.ts';
import { requestKeyHeader } from './request-key.ts';
import { orAbort } from './sleep.ts';
import { VERSION } from './version.ts';

export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: () => string | Promise<string>;
  readonly fetch: CesFetch;
  /** For an answer with its body, in milliseconds. */
  readonly timeoutMs: number;
  readonly userAgent: string | undefined;
}

export async function attempt(connection: Connection, request: CesRequest, signal?: AbortSignal): Promise<CesAnswer> {
  signal?.throwIfAborted();
  const headers = await orAbort(headersOf(connection, request), signal);
  const limit = limitTime(connection.timeoutMs, signal);
  try {
    // A custom fetch may ignore its signal.
    return await orAbort(exchange(connection, request, headers, limit.signal), limit.signal);
  } catch (error) {
    if (error instanceof CesError) throw error;
    signal?.throwIfAborted();
    throw connectionFailed(connection, request, error, limit.isOver());
  } finally {
    limit.end();
  }
}

async function exchange(
  { baseUrl, fetch }: Connection,
  request: CesRequest,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<CesAnswer> {
  const response = await fetch(`${baseUrl}${request.path}`, {
    method: request.method,
    headers,
    ...(request.body !== undefined && { body: request.body }),
    redirect: 'manual',
    signal,
  });
  if (isRedirect(response)) throw await refuseRedirect(request, response);
  return readAnswer(request, response, await readText(request, response));
}

async function headersOf({ apiKey, userAgent }: Connection, request: CesRequest): Promise<Record<string, string>> {
  return {
    accept: 'application/json',
    ...(!request.isPublic && { authorization: `Bearer ${checkApiKey(await apiKey())}` }),
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
    ...(request.requestKey !== undefined && { 'idempotency-key': requestKeyHeader(request.requestKey) }),
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
  };
}

/** The error of fetch for an invalid header repeats the header, and so the key. */
function checkApiKey(apiKey: unknown): string {
  if (typeof apiKey === 'string' && /^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw new TypeError('apiKey must be a text of visible ASCII characters, such as ces_live_….');
}

function isRedirect({ type, status }: CesResponse): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status <= 399);
}

async function refuseRedirect({ method, path, requestKey }: CesRequest, response: CesResponse): Promise<CesError> {
  await response.body?.cancel();
  return new CesError(
    'redirect_refused',
    `${method} ${path} was sent elsewhere, where the API key does not go: set baseUrl to the gateway itself.`,
    { status: response.status, requestKey, requestId: response.headers.get('x-request-id') ?? undefined },
  );
}

function connectionFailed(
  { timeoutMs }: Connection,
  { method, path, requestKey }: CesRequest,
  cause: unknown,
  timedOut: boolean,
): CesError {
  const what = timedOut ? `was not answered within ${timeoutMs} ms` : 'lost its connection or found none';
  const then = requestKey === undefined ? 'try again.' : 'try again with the same request key.';
  return new CesError('connection_failed', `${method} ${path} ${what}: ${then}`, { requestKey, cause });
}

function limitTime(ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController();
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    controller.abort();
  }, ms);
  const abort = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    isOver: () => over,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}

export function ownUserAgent(): string | undefined {
  const { process } = globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } };
  return process?.versions?.node === undefined ? undefined : `ces-client/${VERSION}`;
}
