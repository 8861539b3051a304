import ipaddr from 'ipaddr.js';

/** A provider gives one customer at least a /64 (RFC 6177 §2). */
const IPV6_BITS = 64;

/** One limit for all values that are no addresses: else a client could pick a new one each time. */
const UNKNOWN = 'unknown';
const WITH_PORT = /^(?:([0-9.]{7,15})|\[([0-9A-Fa-f:.]{2,45})\])(?::\d{1,5})?$/;

/** An IPv4 address, or the /64 of an IPv6 address, all of which one customer controls. */
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
