import os from 'node:os';

/** Loopback addresses in URL form; without `[::1]` if the machine has no IPv6. */
export const LOOPBACK: readonly string[] = Object.values(os.networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal, scopeid }) => internal && !scopeid)
  .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
