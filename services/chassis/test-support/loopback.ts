import os from 'node:os';

/** The addresses by which this machine reaches itself, as URLs write them; `[::1]` is not among them where it has no IPv6. */
export const LOOPBACK: readonly string[] = Object.values(os.networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal, scopeid }) => internal && !scopeid)
  .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
