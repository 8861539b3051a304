export interface Random {
  /** At least 0 and below 1. */
  next(): number;
  below(count: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
  /** An independent sequence that depends only on the seed and `name`. */
  branch(name: string): Random;
}

/** Mulberry32. Returns numbers in [0, 1), determined by the seed. */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A sequence that a hash of the text determines. */
export function seeded(seed: string): Random {
  const next = mulberry32(hash(seed));
  const below = (count: number) => Math.floor(next() * count);
  return {
    next,
    below,
    pick: (from) => {
      if (from.length === 0) throw new Error('nothing to pick from');
      return from[below(from.length)] as (typeof from)[number];
    },
    chance: (probability) => next() < probability,
    branch: (name) => seeded(`${seed}/${name}`),
  };
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value;
}
