import { inSpan, SpanKind } from '@ces/chassis/telemetry/span';
import { type Dispatcher, request } from 'undici';
import { ForbiddenAddress } from './allowed-addresses.ts';
import type { WireAnswer } from './body.ts';
import { FetchFailed } from './errors.ts';

export interface Answer extends WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  discard(): void;
}

export interface AskOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** No redirects. The span names only the host, because paths and queries may carry keys. */
export async function ask(agent: Dispatcher, address: URL, options: AskOptions): Promise<Answer> {
  const attributes = {
    'http.request.method': 'GET',
    'server.address': address.hostname,
    'server.port': Number(address.port) || (address.protocol === 'https:' ? 443 : 80),
  };
  return await inSpan('GET', { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const answer = await exchange(agent, address, options);
    span.setAttribute('http.response.status_code', answer.status);
    return answer;
  });
}

async function exchange(agent: Dispatcher, address: URL, { headers, signal }: AskOptions): Promise<Answer> {
  const answer = await request(address, { dispatcher: agent, headers, signal }).catch((error: Error) => {
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
