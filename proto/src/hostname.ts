import { domainToASCII } from 'node:url';

/**
 * A hostname in its normal form: trimmed, lower case, one trailing dot removed, A-labels. Undefined when it is none: an IP address
 * is none, in no spelling that a URL takes for one (gateway/docs/contract.md, Input).
 */
export function normaliseHostname(text: string): string | undefined {
  const trimmed = text.trim().replace(/\.$/, '');
  if (trimmed === '' || /[\s/\\:@?#%[\]]/.test(trimmed)) return undefined;
  const ascii = domainToASCII(trimmed.toLowerCase());
  if (ascii === '' || ascii.length > 253) return undefined;
  const labels = ascii.split('.');
  if (NUMBER.test(labels.at(-1) ?? '')) return undefined;
  const valid = labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  return valid ? ascii : undefined;
}

/** What ends in a number is an IPv4 address or nothing to every reader of URLs: decimal, octal or hexadecimal, with one part to four. */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/;
