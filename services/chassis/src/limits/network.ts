import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that one customer of a provider has for itself at least. */
const IPV6_BITS = 64;

/** Whatever a proxy passes on that is no address counts as one: else whoever chooses it has a limit of its own each time. */
const UNKNOWN = 'unknown';
/** Some proxies name the port of their client too, which is another for each connection. */
const WITH_PORT = /^(?:([0-9.]{7,15})|\[([0-9A-Fa-f:.]{2,45})\])(?::\d{1,5})?$/;

/**
 * Whose an address is when calls are counted by it: an IPv4 address itself, also one that is mapped; of an IPv6 address its network of
 * 64 bits, since whoever has one has them all.
 */
export function networkOf(written: string): string {
  const [, ipv4, ipv6] = WITH_PORT.exec(written) ?? [];
  const address = ipv4 ?? ipv6 ?? written;
  if (!ipaddr.isValid(address)) return UNKNOWN;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(parsed)}/${IPV6_BITS}`)}/${IPV6_BITS}`;
}

function withoutZone(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  return address.toNormalizedString().split('%')[0] ?? '';
}
