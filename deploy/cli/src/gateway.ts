import { addressIn, openLocalStack } from './local-stack.ts';
import { Refusal } from './refusal.ts';
import { type SubscriberConfig, subscriberSettings } from './subscriber-config.ts';

/** As which subscriber a command calls the public interface. */
export interface SubscriberOptions {
  /** Name of a credential in ready.json. */
  readonly as?: string;
}

/** An answer of the public interface that is no error: 200 with a result or 202 while it is worked on. */
export interface GatewayAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

interface GatewayCall {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** Idempotency-Key, on metered calls. */
  readonly requestKey?: string;
}

/** The public interface as one subscriber. Error bodies become Refusals that carry them. */
export interface Gateway {
  call(call: GatewayCall): Promise<GatewayAnswer>;
}

/** Longer than a synchronous search may wait, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** The public interface as the subscriber that was named; throws a Refusal when none was. */
export function openGateway(config: SubscriberConfig, options: SubscriberOptions): Gateway {
  const local = openLocalStack(config.dataDirectory);
  const bearer = options.as ? local.credentialOf(options.as) : config.token;
  if (!bearer)
    throw new Refusal('There is no credential: set CES_TOKEN, or add --as builder for one of a local stack.');
  const address = addressIn(local, config.gatewayUrl, local.ready()?.base_url, subscriberSettings.gatewayUrl.name);
  return createGateway(address, bearer);
}

export function createGateway(baseUrl: string, bearer: string): Gateway {
  return {
    async call({ method = 'GET', path, body, requestKey }) {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        // With a credential in it a request goes where it was sent and nowhere else.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(requestKey !== undefined && { 'idempotency-key': requestKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch((error) => unreachable(baseUrl, error));
      const location = response.headers.get('location');
      if (response.status >= 300 && response.status < 400 && location)
        throw new Refusal(`${baseUrl} sends elsewhere (${location}): set CES_GATEWAY_URL to the gateway itself.`);
      const answer = await readBody(response, baseUrl);
      if (!response.ok) throw refused(response, answer);
      return { status: response.status, body: answer, headers: response.headers };
    },
  };
}

async function readBody(response: Response, baseUrl: string): Promise<Record<string, unknown>> {
  const value: unknown = await response.json().catch(() => undefined);
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new Refusal(
    `${baseUrl} answered ${response.status} without JSON: check that CES_GATEWAY_URL names the gateway itself.`,
  );
}

function refused(response: Response, body: Record<string, unknown>): Refusal {
  const { code, message, retry_at: retryAt } = (body.error ?? {}) as Record<string, string | undefined>;
  const again = retryAt ? ` Try again at ${retryAt}.` : '';
  return new Refusal(`${message ?? `The gateway answered ${response.status}.`}${again} (${code ?? response.status})`, {
    code: code ?? String(response.status),
    body,
  });
}

function unreachable(baseUrl: string, error: unknown): never {
  const slow = error instanceof Error && error.name === 'TimeoutError';
  throw new Refusal(
    slow
      ? `The gateway at ${baseUrl} did not answer in time: ask again with the same --key.`
      : `Nothing answers at ${baseUrl}: start the stack with npm start, or set CES_GATEWAY_URL.`,
    { code: 'service_unavailable', cause: error },
  );
}
