import { createHmac } from 'node:crypto';
import { pairs, type Setting } from '@ces/chassis/service/settings';

/** A named secret that keys the digests of tokens. */
export interface Pepper {
  readonly name: string;
  readonly secret: Buffer;
}

/** Peppers in use: the first signs new tokens, the second one only verifies while keys are rotated. */
export type Peppers = readonly [Pepper, ...Pepper[]];

const MAX_LIVE = 2;

/** The setting `name=hex,name=hex`: one pepper, or two during a rotation, of 32 bytes or more each. */
export function peppers(name: string, description: string): Setting<Peppers> {
  const form = pairs(name, description, { secret: true });
  return {
    ...form,
    parse(text) {
      const [first, ...others] = [...form.parse(text)].map(([pepper, hex]) => ({
        name: pepper,
        secret: secretOf(hex),
      }));
      if (!first || others.length >= MAX_LIVE) throw new Error('must name one pepper, or two during a rotation');
      return [first, ...others];
    },
  };
}

/** HMAC-SHA-256 of a token: all that is kept of it. */
export function digestOf(token: string, pepper: Pepper): Buffer {
  return createHmac('sha256', pepper.secret).update(token).digest();
}

function secretOf(hex: string): Buffer {
  if (!/^([0-9a-f]{2}){32,}$/i.test(hex)) throw new Error('must give each pepper 64 or more hexadecimal digits');
  return Buffer.from(hex, 'hex');
}
