import { pairs, type Setting } from '@ces/chassis/service/settings';

/** The first signs; all are accepted. Rotation keeps the old key for 7 days. */
export interface CursorKeys {
  readonly signer: { readonly name: string; readonly secret: Buffer };
  readonly secrets: ReadonlyMap<string, Buffer>;
}

/** A setting of `name=hex` pairs, at least 16 bytes each. */
export function cursorKeys(name: string, description: string): Setting<CursorKeys> {
  const text = pairs(name, description, { secret: true });
  return { ...text, parse: (value) => toKeys(text.parse(value)) };
}

function toKeys(entries: ReadonlyMap<string, string>): CursorKeys {
  const secrets = new Map([...entries].map(([name, hex]) => [checkName(name), toSecret(hex)]));
  const [first] = secrets;
  if (!first) throw new Error('must name at least one key');
  return { signer: { name: first[0], secret: first[1] }, secrets };
}

function checkName(name: string): string {
  if (!/^[A-Za-z0-9_-]{1,16}$/.test(name))
    throw new Error('must name keys with 1 to 16 letters, digits, hyphens or underscores');
  return name;
}

function toSecret(hex: string): Buffer {
  if (!/^([0-9a-f]{2}){16,64}$/i.test(hex)) throw new Error('must give every key as 32 to 128 hexadecimal digits');
  return Buffer.from(hex, 'hex');
}
