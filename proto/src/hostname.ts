import { domainToASCII } from 'node:url';
import { normalText } from './normal-text.ts';

/**
 * Normalizes a hostname: trimmed, lower case, without a trailing dot, in A-labels. All label
 * separators of IDNA count as dots: `.`, `。`, `．` and `｡`.
 *
 * Undefined for an invalid one, including every spelling that URLs parse as an IP address
 * (gateway/docs/contract.md, Input).
 */
export function normaliseHostname(text: string): string | undefined {
  const trimmed = text.trim().replace(/[.\u3002\uff0e\uff61]$/, '');
  if (trimmed === '' || /[\s/\\:@?#%[\]]/.test(trimmed)) return undefined;
  const lower = trimmed.toLowerCase();
  if (!isShort(lower)) return undefined;
  const ascii = domainToASCII(lower);
  if (ascii === '' || ascii.length > MOST_CHARACTERS) return undefined;
  const labels = ascii.split('.');
  if (NUMBER.test(labels.at(-1) ?? '')) return undefined;
  const valid = labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  return valid ? ascii : undefined;
}

const MOST_CHARACTERS = 253;
const MOST_OF_A_LABEL = 63;

/**
 * Whether the hostname can fit in A-labels, which are never shorter than the Unicode form. Encoding
 * takes time quadratic in a label's length (promise S14).
 */
function isShort(text: string): boolean {
  if (text.length <= MOST_OF_A_LABEL) return true;
  const seen = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  // NFKC leaves at least a quarter of the characters, each of one or two UTF-16 units.
  if (seen.length > 8 * (MOST_CHARACTERS + 1)) return false;
  return normalText(seen, 'NFKC')
    .split(/[.\u3002]/)
    .every((label) => [...label].length <= MOST_OF_A_LABEL);
}

/**
 * URL parsers treat a host whose last label is a number as IPv4: decimal, octal or hexadecimal,
 * with one to four parts.
 */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/;
