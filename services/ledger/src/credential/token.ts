import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = /^ces_(live|test)_[0-9A-Za-z]{38}$/;

const PREFIX_LENGTH = 13;

/** Mode, 32 base-62 characters from a CSPRNG and the CRC-32 of both (decision 0033). */
export function newToken(testMode: boolean): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');
  const body = `ces_${testMode ? 'test' : 'live'}_${secret}`;
  return body + checksumOf(body);
}

/** Form and checksum: a mistyped key needs no database query. */
export function isToken(text: string): boolean {
  return FORM.test(text) && checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

export function prefixOf(token: string): string {
  return token.slice(0, PREFIX_LENGTH);
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
