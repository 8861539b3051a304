import { ownUserAgent } from './attempt.ts';
import type { CesAttempt, TransportOptions } from './transport.ts';

/** How a client calls; every time is in milliseconds. */
export interface CesClientOptions {
  /** Where the gateway is; in a page the empty text stands for its own origin. */
  readonly baseUrl: string;
  /** `ces_live_…` or `ces_test_…`, or where to get it, which is asked before each attempt. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** Instead of the fetch of the platform. */
  readonly fetch?: typeof fetch;
  /** Attempts of one call, the first included; 5. */
  readonly maxAttempts?: number;
  /** Time for one attempt; 40 s, which is longer than a search waits for its result. */
  readonly timeoutMs?: number;
  /** The longest single wait before another attempt; 60 s. A call that must wait longer throws. */
  readonly maxWaitMs?: number;
  /** What calls name themselves outside of a browser. */
  readonly userAgent?: string;
  /** Called after each attempt. */
  readonly onAttempt?: (attempt: CesAttempt) => void;
}

/** Options with their defaults; throws TypeError for those that cannot be. */
export function readOptions(options: CesClientOptions): TransportOptions {
  const { apiKey, maxAttempts = 5, timeoutMs = 40_000, maxWaitMs = 60_000, userAgent = ownUserAgent() } = options;
  return {
    connection: {
      baseUrl: readBaseUrl(options.baseUrl),
      apiKey: typeof apiKey === 'function' ? apiKey : () => apiKey,
      // A browser's fetch must not be called as a method of something else.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      timeoutMs,
      userAgent,
    },
    retry: { maxAttempts, maxWaitMs },
    onAttempt: options.onAttempt,
  };
}

/** Without a slash at its end. */
function readBaseUrl(baseUrl: string): string {
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  const url = URL.canParse(baseUrl, location?.href) ? new URL(baseUrl, location?.href) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must be the http or https address of the gateway, without a user or password.');
  return baseUrl === '' ? url.origin : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
