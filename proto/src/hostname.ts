import { domainToASCII } from 'node:url';
import { normalText } from './normal-text.ts';

/**
 * A hostname in its normal form: trimmed, lower case, one trailing dot removed, A-labels. A dot is each full stop
 * that IDNA separates labels by: `.`, `。`, `．` and `｡`. Undefined when it is none: an IP address is none, in no spelling that a URL
 * takes for one (gateway/docs/contract.md, Input).
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
 * Whether a hostname may fit when it is written in A-labels, which have a character at least for each one that is shown: to write them
 * takes time with the square of a label's length (promise S14).
 */
function isShort(text: string): boolean {
  if (text.length <= MOST_OF_A_LABEL) return true;
  const seen = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  // Of what is composed a quarter is left at least, in one or two units.
  if (seen.length > 8 * (MOST_CHARACTERS + 1)) return false;
  return normalText(seen, 'NFKC')
    .split(/[.\u3002]/)
    .every((label) => [...label].length <= MOST_OF_A_LABEL);
}

/** What ends in a number is an IPv4 address or nothing to every reader of URLs: decimal, octal or hexadecimal, with one part to four. */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/;
