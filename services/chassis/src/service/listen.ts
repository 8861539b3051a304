import net from 'node:net';

/** Every address of the machine, of IPv6 and of IPv4; where it has no IPv6, those of IPv4. */
const EVERY_ADDRESS = '::';

/** What Node is to be told of a host: named `::`, it would fail where there is no IPv6; unnamed, it falls back to IPv4 by itself. */
export function hostToBind(host: string): string {
  return host === EVERY_ADDRESS ? '' : host;
}

/** Listens, or rejects with the error of the attempt. */
export function listen(server: net.Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: hostToBind(host), port }, resolve);
  });
}

/** The address of a server that listens on a host, as a URL: with the host as it was named, or what `::` came to. */
export function urlOf(scheme: 'http' | 'https', host: string, server: net.Server): string {
  const { address, port } = server.address() as net.AddressInfo;
  const shown = host === EVERY_ADDRESS ? address : host;
  return `${scheme}://${net.isIPv6(shown) ? `[${shown}]` : shown}:${port}`;
}
