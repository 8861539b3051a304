import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that one customer of a provider has for itself at least. */
const IPV6_BITS = 64;

/**
 * Whose an address is when calls are counted by it: an IPv4 address itself, also one that is mapped; of an IPv6 address its network of
 * 64 bits, since whoever has one has them all.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(parsed)}/${IPV6_BITS}`)}/${IPV6_BITS}`;
}

function withoutZone(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  return address.toNormalizedString().split('%')[0] ?? '';
}
