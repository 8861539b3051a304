import type http from 'node:http';

/** How long the head of a request may take to arrive, the way to it (TLS, the preface of HTTP/2) included, in milliseconds. */
export const HEAD_LIMIT_MS = 10_000;
/** How long a whole request may take to arrive, in milliseconds, where it is no stream. */
export const ARRIVAL_LIMIT_MS = 20_000;

/** Bounds in time of what arrives over HTTP/1.1; Node looks at them by default every half a minute alone. */
export const ARRIVAL_OPTIONS = {
  headersTimeout: HEAD_LIMIT_MS,
  requestTimeout: ARRIVAL_LIMIT_MS,
  connectionsCheckingInterval: 1_000,
} as const satisfies http.ServerOptions;
