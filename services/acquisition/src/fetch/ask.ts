import { type Dispatcher, request } from 'undici';
import { ForbiddenAddress } from './allowed-addresses.ts';
import type { WireAnswer } from './body.ts';
import { FetchFailed } from './errors.ts';

/** An answer whose body is still to be read, or discarded. */
export interface Answer extends WireAnswer {
  readonly status: number;
  /** By lower-case name; of a repeated one the first. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  discard(): void;
}

export interface AskOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text of a POST; absent: GET. */
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

/** One HTTP exchange up to the headers of its answer; redirects are not followed. */
export async function ask(agent: Dispatcher, address: URL, { headers, body, signal }: AskOptions): Promise<Answer> {
  const answer = await request(address, {
    dispatcher: agent,
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    signal,
    ...(body !== undefined && { body }),
  }).catch((error: Error) => {
    throw asFetchError(error, address, signal);
  });
  const flat = Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
  const length = answer.headers['content-length'];
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(flat),
    bytes: answer.body,
    length: typeof length === 'string' ? Number(length) : undefined,
    discard: () => void answer.body.dump({ limit: 16_384 }).catch(() => undefined),
  };
}

function asFetchError(error: Error, address: URL, signal: AbortSignal): Error {
  if (signal.aborted) return error;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ForbiddenAddress)
      return new FetchFailed(`${address.hostname} must not be reached: ${cause.message}`, { cause: error });
  const { code } = error as NodeJS.ErrnoException;
  return new FetchFailed(`${address.hostname} did not answer (${code ?? error.name})`, {
    transient: true,
    cause: error,
  });
}
