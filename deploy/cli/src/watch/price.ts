import { priceText } from '../subscriber/verb.ts';
import { intervalText } from './interval.ts';
import type { Watched } from './watched.ts';

const DAY_MS = 86_400_000;

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
