import dns from 'node:dns';
import net from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isPublicAddress } from './allowed-addresses.ts';
import { createTunnels } from './tunnels.ts';

/** A connection that must not be made. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/** As `dns.lookup` with `all`, injected so that tests can lie as a hostile server of names does. */
export type Resolve = (hostname: string) => Promise<readonly dns.LookupAddress[]>;

export interface GuardOptions {
  /** `IP:port` of what may be reached although it is not public. */
  readonly allowed: ReadonlySet<string>;
  readonly resolve?: Resolve;
  /** Address of an HTTP proxy that makes the connections; the operator's, so it is not checked itself. */
  readonly proxy?: string;
}

const CONNECT_TIMEOUT_MS = 10_000;
const LIMITS = { headersTimeout: 30_000, bodyTimeout: 30_000, keepAliveTimeout: 10_000, pipelining: 1 };
const PORTS: ReadonlySet<number> = new Set([80, 443]);

/**
 * Connections to public addresses alone. The address is checked where the connection is made: a name is resolved once and
 * what was checked is what is connected to, so that a name that changes its address meanwhile gains nothing. A proxy is
 * asked for the checked address, never for a name.
 */
export function createGuardedAgent({ allowed, resolve = resolveByDns, proxy }: GuardOptions): Dispatcher {
  const find = (host: string, port: number) => findAllowed(host, port, { allowed, resolve });
  return proxy === undefined ? createDirectAgent(find) : createTunnels(proxy, find, CONNECT_TIMEOUT_MS, LIMITS);
}

/** The addresses of a host that may be connected to; throws ForbiddenAddress when any of them may not. */
export type FindAddresses = (
  host: string,
  port: number,
) => Promise<readonly [dns.LookupAddress, ...dns.LookupAddress[]]>;

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

async function findAllowed(
  host: string,
  port: number,
  { allowed, resolve }: { readonly allowed: ReadonlySet<string>; readonly resolve: Resolve },
): ReturnType<FindAddresses> {
  const literal = withoutBrackets(host);
  const family = net.isIP(literal);
  const addresses = family > 0 ? [{ address: literal, family }] : await resolve(host);
  for (const { address } of addresses) checkAddress(address, port, allowed);
  const [first, ...others] = addresses;
  if (!first) throw new ForbiddenAddress('the name has no address');
  return [first, ...others];
}

function checkAddress(address: string, port: number, allowed: ReadonlySet<string>): void {
  if (allowed.has(`${address}:${port}`)) return;
  if (!isPublicAddress(address)) throw new ForbiddenAddress('the address is not a public one');
  if (!PORTS.has(port)) throw new ForbiddenAddress('the port is neither 80 nor 443');
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

async function resolveByDns(hostname: string): Promise<dns.LookupAddress[]> {
  return await dns.promises.lookup(hostname, { all: true });
}
