export function encodePositions(positions: readonly number[]): bigint {
  return positions.reduce((bits, position) => bits | (1n << BigInt(position)), 0n);
}

export function decodePositions(bits: bigint): number[] {
  const digits = bits.toString(2);
  return [...digits].flatMap((digit, index) => (digit === '1' ? [digits.length - 1 - index] : [])).reverse();
}

/** Returns positions from `from` to `to` (exclusive), except those in `without`. */
export function remainingPositions(from: number, to: number, without: readonly number[]): number[] {
  const left = new Set(without);
  return Array.from({ length: to - from }, (_, index) => from + index).filter((position) => !left.has(position));
}
