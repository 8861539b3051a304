import type http from 'node:http';

/** Covers the head of a request, TLS and the HTTP/2 preface included. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** Covers a whole request that is no stream. */
export const REQUEST_TIMEOUT_MS = 20_000;
/** The longest deadline that a caller may set, and the default. */
export const MAX_TIMEOUT_MS = 120_000;

/** Node checks them only every 30 s by default. */
export const HTTP_TIMEOUTS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: 1_000,
} as const satisfies http.ServerOptions;

/** The kernel probes after 4 s of silence and gives up after 10 s. */
export const TCP_KEEPALIVE = {
  keepAlive: true,
  keepAliveInitialDelay: 4_000,
} as const satisfies http.ServerOptions;
