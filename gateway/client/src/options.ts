import { ownUserAgent } from './attempt.ts';
import type { CesFetch } from './fetch.ts';
import type { CesAttempt, TransportOptions } from './transport.ts';

/** All times are in milliseconds. */
export interface CesClientOptions {
  /** Address of the gateway; in a page, the empty string means its own origin. */
  readonly baseUrl: string;
  /** `ces_live_…` or `ces_test_…`, or a function that is called before each attempt. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** In place of the global one. */
  readonly fetch?: CesFetch;
  /** Attempts of one call, including the first; default 5. */
  readonly maxAttempts?: number;
  /** Timeout of one attempt; default 40 s, which is longer than a search waits for its result. */
  readonly timeoutMs?: number;
  /** Maximum wait between two attempts; default 60 s. A call that must wait longer throws. */
  readonly maxWaitMs?: number;
  readonly userAgent?: string;
  readonly onAttempt?: (attempt: CesAttempt) => void;
}

/** Throws TypeError for invalid options. */
export function readOptions(options: CesClientOptions): TransportOptions {
  const { apiKey, maxAttempts = 5, timeoutMs = 40_000, maxWaitMs = 60_000, userAgent = ownUserAgent() } = options;
  return {
    connection: {
      baseUrl: readBaseUrl(options.baseUrl),
      apiKey: typeof apiKey === 'function' ? apiKey : () => apiKey,
      // A browser's fetch throws when it is called as a method of another object.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      timeoutMs,
      userAgent,
    },
    retry: { maxAttempts, maxWaitMs },
    onAttempt: options.onAttempt,
  };
}

function readBaseUrl(baseUrl: string): string {
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  const url = URL.canParse(baseUrl, location?.href) ? new URL(baseUrl, location?.href) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must be the http or https address of the gateway, without a user or password.');
  return baseUrl === '' ? url.origin : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
