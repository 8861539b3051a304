import { InvalidArgumentError } from 'commander';

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Each round costs units, so the interval has a lower bound. */
const LEAST_MS = 60_000;
const MOST_MS = 7 * 86_400_000;

export function intervalArgument(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? Number.NaN);
  if (!(ms >= LEAST_MS && ms <= MOST_MS)) throw new InvalidArgumentError('Write it as 15m, 6h or 1d, from 1m to 7d.');
  return ms;
}

export function intervalText(ms: number): string {
  const [name, unitMs] =
    ms % 86_400_000 === 0
      ? ['day', 86_400_000]
      : ms % 3_600_000 === 0
        ? ['hour', 3_600_000]
        : ms % 60_000 === 0
          ? ['minute', 60_000]
          : ['second', 1_000];
  const count = ms / unitMs;
  return count === 1 ? `1 ${name}` : `${count} ${name}s`;
}
