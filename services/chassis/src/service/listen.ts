import net from 'node:net';

const EVERY_ADDRESS = '::';

/** Node fails on `::` without IPv6, but not without a host. */
export function hostToBind(host: string): string {
  return host === EVERY_ADDRESS ? '' : host;
}

export function listen(server: net.Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: hostToBind(host), port }, resolve);
  });
}

export function urlOf(scheme: 'http' | 'https', host: string, server: net.Server): string {
  const { address, port } = server.address() as net.AddressInfo;
  const shown = host === EVERY_ADDRESS ? address : host;
  return `${scheme}://${net.isIPv6(shown) ? `[${shown}]` : shown}:${port}`;
}
