import net, { isIPv6 } from 'node:net';
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { createFindAddresses, type FindAddresses, type Resolve, withoutBrackets } from './allowed-addresses.ts';

interface GuardOptions {
  /** `IP:port` of allowed addresses that are not public. */
  readonly allowed: ReadonlySet<string>;
  readonly resolve?: Resolve;
  /** The operator sets it, so its address is not checked. */
  readonly proxy?: string;
}

const CONNECT_TIMEOUT_MS = 10_000;
const LIMITS = { headersTimeout: 30_000, bodyTimeout: 30_000, keepAliveTimeout: 10_000, pipelining: 1 };

/**
 * A name is resolved once and the checked address is used, which prevents DNS rebinding. A proxy
 * receives that address, never a name (decision 0018).
 */
export function createGuardedAgent({ allowed, resolve, proxy }: GuardOptions): Dispatcher {
  const find = createFindAddresses(allowed, resolve);
  return proxy === undefined ? createDirectAgent(find) : createTunnels(proxy, find, CONNECT_TIMEOUT_MS, LIMITS);
}

function createDirectAgent(find: FindAddresses): Agent {
  return new Agent({
    ...LIMITS,
    connect: (target, callback) => {
      const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
      const connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: lookupBy(find, port) });
      if (net.isIP(withoutBrackets(target.hostname)) === 0) connector(target, callback);
      else
        find(target.hostname, port).then(
          () => connector(target, callback),
          (refusal: Error) => callback(refusal, null),
        );
    },
  });
}

function lookupBy(find: FindAddresses, port: number): net.LookupFunction {
  return (hostname, options, callback) => {
    find(hostname, port).then(
      (addresses) => {
        if (options.all) callback(null, [...addresses]);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    );
  };
}

/** CONNECT names an address from `find`, so the proxy resolves no names. TLS is end to end. */
function createTunnels(proxy: string, find: FindAddresses, connectTimeout: number, limits: Pool.Options): ProxyAgent {
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
