import { createHmac } from 'node:crypto';
import { pairs, type Setting } from '@ces/chassis/service/settings';

/** A named secret that keys the digests of tokens. */
export interface Pepper {
  readonly name: string;
  readonly secret: Buffer;
}

/** Peppers that live, the newest first: it signs new tokens and those that are used, the others verify until nothing needs them. */
export type Peppers = readonly [Pepper, ...Pepper[]];

/** All that is kept of a token under one pepper. */
export interface Digest {
  readonly pepper: string;
  readonly digest: Buffer;
}

/** The setting `name=hex,name=hex`: any number of peppers, the newest first, of 32 bytes or more each. */
export function peppers(name: string, description: string): Setting<Peppers> {
  const form = pairs(name, description, { secret: true });
  return {
    ...form,
    parse(text) {
      const [newest, ...others] = [...form.parse(text)].map(([pepper, hex]) => ({
        name: pepper,
        secret: secretOf(hex),
      }));
      if (!newest) throw new Error('must name at least one pepper');
      const secrets = [newest, ...others].map(({ secret }) => secret.toString('hex'));
      if (new Set(secrets).size < secrets.length) throw new Error('must give each pepper a secret of its own');
      return [newest, ...others];
    },
  };
}

/** HMAC-SHA-256 of a token under one pepper. */
export function digestOf(token: string, { name, secret }: Pepper): Digest {
  return { pepper: name, digest: createHmac('sha256', secret).update(token).digest() };
}

/** The same under each pepper that lives, the newest first. */
export function digestsOf(token: string, [newest, ...others]: Peppers): readonly [Digest, ...Digest[]] {
  return [digestOf(token, newest), ...others.map((pepper) => digestOf(token, pepper))];
}

/** Under which peppers a credential is stored: `moved` is where it moved to last. */
export interface StoredPeppers {
  readonly pepper: string;
  readonly movedPepper: string | undefined;
}

/** What is to be written of a credential that was used. */
export type Move =
  /** From the pepper that it is at to the newest one; its digest under the former stays beside it. */
  | { readonly kind: 'move'; readonly from: string; readonly to: Digest }
  /** It is at the newest one: the digest under a pepper that lives no more goes. */
  | { readonly kind: 'forget'; readonly pepper: string };

/**
 * Undefined when it is where it should be; and when it moved on to a pepper that this process does not know: its settings are
 * those of before, and it moves nothing back.
 */
export function moveOf(stored: StoredPeppers, digests: readonly [Digest, ...Digest[]]): Move | undefined {
  const [newest] = digests;
  const lives = (pepper: string) => digests.some((digest) => digest.pepper === pepper);
  const { pepper, movedPepper } = stored;
  const current = movedPepper ?? pepper;
  if (current !== newest.pepper) return lives(current) ? { kind: 'move', from: current, to: newest } : undefined;
  return movedPepper !== undefined && !lives(pepper) ? { kind: 'forget', pepper } : undefined;
}

/** What a credential needs of the peppers that live. */
export type PepperState = 'newest' | 'old' | 'missing';

export function pepperStateOf({ pepper, movedPepper }: StoredPeppers, [newest, ...others]: Peppers): PepperState {
  if ((movedPepper ?? pepper) === newest.name) return 'newest';
  const lives = [newest, ...others].some(({ name }) => name === pepper || name === movedPepper);
  return lives ? 'old' : 'missing';
}

function secretOf(hex: string): Buffer {
  if (!/^([0-9a-f]{2}){32,}$/i.test(hex)) throw new Error('must give each pepper 64 or more hexadecimal digits');
  return Buffer.from(hex, 'hex');
}
