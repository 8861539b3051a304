import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { pairs, type Setting } from '@ces/chassis/service/settings';

interface SigningKey {
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly publicKey: Buffer;
}

export type SigningKeys = readonly [SigningKey, ...SigningKey[]];

/** Makes an Ed25519 seed PKCS #8 in DER (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export function signingKeys(name: string, description: string): Setting<SigningKeys> {
  const form = pairs(name, description, { secret: true });
  const parse = (text: string): SigningKeys => {
    const [first, ...others] = [...form.parse(text)].map(([key, hex]) => keyOf(key, hex));
    if (!first) throw new Error('must name at least one key');
    return [first, ...others];
  };
  return { ...form, parse };
}

function keyOf(name: string, hex: string): SigningKey {
  if (!/^[0-9a-f]{64}$/i.test(hex)) throw new Error('must give every key as 64 hexadecimal digits');
  const der = Buffer.concat([PKCS8_HEAD, Buffer.from(hex, 'hex')]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { name, privateKey, publicKey };
}
