import type http from 'node:http';

/**
 * Bound on the arrival of a request's head, including TLS and the HTTP/2 preface, in milliseconds.
 */
export const HEADERS_TIMEOUT_MS = 10_000;
/** Bound on the arrival of a whole request that is no stream, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 20_000;
/** The longest deadline that a caller may set, and the default, in milliseconds. */
export const MAX_TIMEOUT_MS = 120_000;

/** HTTP/1.1 timeouts. Node checks them only every 30 s by default. */
export const HTTP_TIMEOUTS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: 1_000,
} as const satisfies http.ServerOptions;

/** TCP keep-alive: after 4 s of silence the kernel probes the peer, and gives up after 10 s. */
export const TCP_KEEPALIVE = {
  keepAlive: true,
  keepAliveInitialDelay: 4_000,
} as const satisfies http.ServerOptions;
