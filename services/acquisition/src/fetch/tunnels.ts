import { isIPv6 } from 'node:net';
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { FindAddresses } from './allowed-addresses.ts';

/** CONNECT names an address from `find`, so the proxy resolves no names. TLS is end to end. */
export function createTunnels(
  proxy: string,
  find: FindAddresses,
  connectTimeout: number,
  limits: Pool.Options,
): ProxyAgent {
  return new ProxyAgent({
    ...limits,
    uri: proxy,
    connectTimeout,
    proxyTunnel: true,
    clientFactory: (origin, options) => new CheckedTunnels(origin, { ...limits, ...options }, find),
  });
}

class CheckedTunnels extends Pool {
  readonly #find: FindAddresses;

  constructor(origin: URL, options: Pool.Options, find: FindAddresses) {
    super(origin, options);
    this.#find = find;
  }

  override async connect(options: Omit<Dispatcher.ConnectOptions, 'origin'>): Promise<Dispatcher.ConnectData> {
    const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(options.path) ?? [];
    const [{ address }] = await this.#find(host, Number(port));
    return await super.connect({ ...options, path: `${isIPv6(address) ? `[${address}]` : address}:${port}` });
  }
}
