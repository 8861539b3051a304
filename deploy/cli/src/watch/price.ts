import { InvalidArgumentError } from 'commander';
import { priceText } from '../subscriber/verb.ts';
import type { Watched } from './watched.ts';

const DAY_MS = 86_400_000;
/** Largest first; an argument has their first letter. */
const UNITS_MS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;
/** Each round costs units, so the interval has a lower bound. */
const LEAST_MS = 60_000;
const MOST_MS = 7 * DAY_MS;

export function intervalArgument(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  const [, unitMs] = UNITS_MS.find(([name]) => name[0] === unit) ?? [];
  const ms = Number(count) * (unitMs ?? Number.NaN);
  if (!(ms >= LEAST_MS && ms <= MOST_MS)) throw new InvalidArgumentError('Write it as 15m, 6h or 1d, from 1m to 7d.');
  return ms;
}

export function watchPriceText(watched: Watched, everyMs: number, limit: number, maxUnits: number | undefined): string {
  const rounds = Math.ceil(DAY_MS / everyMs);
  const most = watched.roundPrice(limit);
  const page = watched.pagePrice(limit);
  const [round, day] = most
    ? [
        `at most ${priceText(most)}`,
        `at most ${priceText({ requestUnits: most.requestUnits * rounds, deliveredUnits: most.deliveredUnits * rounds })}`,
      ]
    : [`at most ${priceText(page)} for each 100 observations`, 'the price of all new observations'];
  const bound =
    maxUnits === undefined
      ? ''
      : ` It stops before it spends more than ${maxUnits.toLocaleString('en-US')} units in total.`;
  return `A round every ${intervalText(everyMs)} costs 1 request unit if nothing is new, otherwise ${round}. A day costs ${priceText({ requestUnits: rounds, deliveredUnits: 0 })} if nothing is new, otherwise ${day}.${bound}`;
}

function intervalText(ms: number): string {
  const [name, unitMs] = UNITS_MS.find(([, one]) => ms % one === 0) ?? ['second', 1_000];
  const count = ms / unitMs;
  return count === 1 ? `1 ${name}` : `${count} ${name}s`;
}
