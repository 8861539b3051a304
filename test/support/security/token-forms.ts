import { createHash } from 'node:crypto';

export interface Needle {
  readonly what: string;
  readonly bytes: Buffer;
}

/** The service may show the mode and four more characters. */
const SHOWN = 13;
const HALF = 17;

/**
 * Every form in which a service might store a token: each half of the secret, encoded, or hashed
 * without a key.
 */
export function formsOf(name: string, token: string): readonly Needle[] {
  const digest = createHash('sha256').update(token).digest();
  const forms: Record<string, string | Buffer> = {
    'first half': token.slice(SHOWN, SHOWN + HALF),
    'second half': token.slice(-HALF),
    base64: Buffer.from(token).toString('base64').slice(0, 60),
    'base64 behind Bearer': Buffer.from(`Bearer ${token}`).toString('base64').slice(20, 64),
    hexadecimal: Buffer.from(token.slice(SHOWN)).toString('hex'),
    'SHA-256': digest,
    'SHA-256 in hexadecimal': digest.toString('hex'),
    'SHA-256 in base64': digest.toString('base64').slice(0, -1),
    'SHA-256 in base64url': digest.toString('base64url'),
  };
  return Object.entries(forms).map(([form, text]) => ({
    what: `${name}: ${form}`,
    bytes: Buffer.from(text as string),
  }));
}

/** Finds needles in one pass. A table of two-byte prefixes skips most positions. */
export function found(needles: readonly Needle[], bytes: Buffer): readonly string[] {
  const beginnings = new Uint8Array(65_536);
  const byBeginning = Map.groupBy(needles, (needle) => needle.bytes.readUInt16BE(0));
  for (const beginning of byBeginning.keys()) beginnings[beginning] = 1;
  const seen = new Set<string>();
  let beginning = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    beginning = ((beginning << 8) | (bytes[at] as number)) & 0xffff;
    if (at === 0 || beginnings[beginning] === 0) continue;
    for (const needle of byBeginning.get(beginning) ?? [])
      if (bytes.subarray(at - 1, at - 1 + needle.bytes.length).equals(needle.bytes)) seen.add(needle.what);
  }
  return [...seen];
}
