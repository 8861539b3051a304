import { InvalidArgumentError } from 'commander';
import { instantArgument } from './arguments.ts';

export type When = (nowMs: number) => string;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const UNITS: Readonly<Record<string, { readonly ms: number; readonly floorMs: number }>> = {
  m: { ms: MINUTE_MS, floorMs: MINUTE_MS },
  h: { ms: HOUR_MS, floorMs: HOUR_MS },
  d: { ms: DAY_MS, floorMs: DAY_MS },
  w: { ms: 7 * DAY_MS, floorMs: DAY_MS },
};

export const WHEN = 'such as 30d, 12h or 2026-11-20T00:00:00Z';

/**
 * A timestamp, or a duration such as 12h or 2w before now, rounded so that repeated calls agree.
 */
export function whenArgument(text: string): When {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhdw])$/.exec(text) ?? [];
  const scale = UNITS[unit];
  if (count === undefined || scale === undefined) return timestamp(text);
  const { ms, floorMs } = scale;
  return (nowMs) => new Date(Math.floor((nowMs - Number(count) * ms) / floorMs) * floorMs).toISOString();
}

function timestamp(text: string): When {
  try {
    instantArgument(text);
  } catch {
    throw new InvalidArgumentError(`Write it ${WHEN.replace('such as', 'as')}.`);
  }
  return () => text;
}
