import { priceText } from '../subscriber.ts';
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
    : [`at most ${priceText(page)} for each 100 observations`, 'what there is'];
  const bound =
    maxUnits === undefined
      ? ''
      : ` It stops before it has spent more than ${maxUnits.toLocaleString('en-US')} units in all.`;
  return `A round every ${intervalText(everyMs)} costs 1 request unit when nothing is new, else ${round}. A day costs ${priceText({ requestUnits: rounds, deliveredUnits: 0 })} when nothing is new, else ${day}.${bound}`;
}
