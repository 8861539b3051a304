/** Deterministic numbers: the same seed gives the same sample on every machine. */
export interface Random {
  whole(min: number, max: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** Each `stream` has independent numbers, so more companies do not change the first ones. */
export function seededRandom(seed: number, stream: number): Random {
  let state = (seed ^ Math.imul(stream + 1, 0x9e3779b1)) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    whole,
    chance: (share) => next() < share,
    pick: <T>(list: readonly T[]) => list[whole(0, list.length - 1)] as T,
  };
}
