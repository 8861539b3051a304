import dns from 'node:dns';
import net from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isPublicAddress } from './public-address.ts';

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
}

const CONNECT_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 30_000;
const BODY_TIMEOUT_MS = 30_000;
const PORTS: ReadonlySet<number> = new Set([80, 443]);

/**
 * Connections to public addresses alone. The address is checked where the connection is made: a name is resolved once and
 * what was checked is what is connected to, so that a name that changes its address meanwhile gains nothing.
 */
export function createGuardedAgent(options: GuardOptions): Agent {
  const resolve = options.resolve ?? resolveByDns;
  return new Agent({
    connect: (target, callback) => {
      const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
      const check = (address: string) => checkAddress(address, port, options.allowed);
      const connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: checkedLookup(resolve, check) });
      const literal = target.hostname.replace(/^\[|\]$/g, '');
      const refusal = net.isIP(literal) > 0 ? check(literal) : undefined;
      if (refusal) callback(refusal, null);
      else connector(target, callback);
    },
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: BODY_TIMEOUT_MS,
    keepAliveTimeout: 10_000,
    pipelining: 1,
  });
}

/** Why an address may not be connected to; undefined when it may. */
function checkAddress(address: string, port: number, allowed: ReadonlySet<string>): ForbiddenAddress | undefined {
  if (allowed.has(`${address}:${port}`)) return undefined;
  if (!isPublicAddress(address)) return new ForbiddenAddress('the address is not a public one');
  return PORTS.has(port) ? undefined : new ForbiddenAddress('the port is neither 80 nor 443');
}

function checkedLookup(resolve: Resolve, check: (address: string) => ForbiddenAddress | undefined): net.LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const refusal = addresses.map(({ address }) => check(address)).find(Boolean);
        const [first] = addresses;
        if (refusal || !first) callback(refusal ?? new ForbiddenAddress('the name has no address'), '', 4);
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    );
  };
}

async function resolveByDns(hostname: string): Promise<dns.LookupAddress[]> {
  return await dns.promises.lookup(hostname, { all: true });
}
