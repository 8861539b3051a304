import dns from 'node:dns';
import net from 'node:net';
import ipaddr from 'ipaddr.js';

export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/** Same as `dns.lookup` with `all`. Tests inject a hostile one. */
export type Resolve = (hostname: string) => Promise<readonly dns.LookupAddress[]>;

export type FindAddresses = (
  host: string,
  port: number,
) => Promise<readonly [dns.LookupAddress, ...dns.LookupAddress[]]>;

const PORTS: ReadonlySet<number> = new Set([80, 443]);

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** Ranges that embed other addresses, and documentation. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) => ipaddr.parseCIDR(range));

/** Public addresses on ports 80 and 443, and those of `allowed` (`IP:port`). */
export function createFindAddresses(allowed: ReadonlySet<string>, resolve: Resolve = resolveByDns): FindAddresses {
  return async (host, port) => {
    const literal = withoutBrackets(host);
    const family = net.isIP(literal);
    const addresses = family > 0 ? [{ address: literal, family }] : await resolve(host);
    for (const { address } of addresses) checkAddress(address, port, allowed);
    const [first, ...others] = addresses;
    if (!first) throw new ForbiddenAddress('the name has no address');
    return [first, ...others];
  };
}

export function isPublicAddress(text: string): boolean {
  if (net.isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return true;
  return address.match(GLOBAL_IPV6) && !SPECIAL_IPV6.some((range) => address.match(range));
}

export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function checkAddress(address: string, port: number, allowed: ReadonlySet<string>): void {
  if (allowed.has(`${address}:${port}`)) return;
  if (!isPublicAddress(address))
    throw new ForbiddenAddress(`${address}:${port} is not public and not in CES_ACQUISITION_ALLOWED_ADDRESSES`);
  if (!PORTS.has(port)) throw new ForbiddenAddress('the port is neither 80 nor 443');
}

async function resolveByDns(hostname: string): Promise<dns.LookupAddress[]> {
  return await dns.promises.lookup(hostname, { all: true });
}
