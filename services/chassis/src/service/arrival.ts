import type http from 'node:http';

/** How long the head of a request may take to arrive, the way to it (TLS, the preface of HTTP/2) included, in milliseconds. */
export const HEAD_LIMIT_MS = 10_000;
/** How long a whole request may take to arrive, in milliseconds, where it is no stream. */
export const ARRIVAL_LIMIT_MS = 20_000;
/** Longest deadline a caller may set, and that of a caller that sets none, in milliseconds. */
export const MAX_TIMEOUT_MS = 120_000;

/** Bounds in time of what arrives over HTTP/1.1; Node looks at them by default every half a minute alone. */
export const ARRIVAL_OPTIONS = {
  headersTimeout: HEAD_LIMIT_MS,
  requestTimeout: ARRIVAL_LIMIT_MS,
  connectionsCheckingInterval: 1_000,
} as const satisfies http.ServerOptions;

/** After so much silence the kernel asks whether a caller is still there, and ends its connection when nothing comes for ten seconds. */
export const KERNEL_KEEPALIVE = {
  keepAlive: true,
  keepAliveInitialDelay: 4_000,
} as const satisfies http.ServerOptions;
