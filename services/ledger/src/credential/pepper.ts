import { createHmac } from 'node:crypto';
import { pairs, type Setting } from '@ces/chassis/service/settings';

export interface Pepper {
  readonly name: string;
  readonly secret: Buffer;
}

/** The newest first: it makes digests. The others only verify (decision 0033). */
export type Peppers = readonly [Pepper, ...Pepper[]];

export interface Digest {
  readonly pepper: string;
  readonly digest: Buffer;
}

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

export function digestOf(token: string, { name, secret }: Pepper): Digest {
  return { pepper: name, digest: createHmac('sha256', secret).update(token).digest() };
}

export function digestsOf(token: string, [newest, ...others]: Peppers): readonly [Digest, ...Digest[]] {
  return [digestOf(token, newest), ...others.map((pepper) => digestOf(token, pepper))];
}

export interface StoredPeppers {
  readonly pepper: string;
  readonly movedPepper: string | undefined;
}

export type PepperChange =
  | { readonly kind: 'move'; readonly from: string; readonly to: Digest }
  | { readonly kind: 'forget'; readonly pepper: string };

/** Undefined also if this process does not know the current pepper: it must not move back. */
export function pepperChangeOf(
  stored: StoredPeppers,
  digests: readonly [Digest, ...Digest[]],
): PepperChange | undefined {
  const [newest] = digests;
  const lives = (pepper: string) => digests.some((digest) => digest.pepper === pepper);
  const { pepper, movedPepper } = stored;
  const current = movedPepper ?? pepper;
  if (current !== newest.pepper) return lives(current) ? { kind: 'move', from: current, to: newest } : undefined;
  return movedPepper !== undefined && !lives(pepper) ? { kind: 'forget', pepper } : undefined;
}

/** `old`: verified by another pepper; `missing`: by none. */
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
