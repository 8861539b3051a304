import type { Random } from '../../../support/random.ts';
import { type Attempt, isAnswered } from '../../load/attempt.ts';
import { type Door, search } from '../../load/client.ts';

export interface Race {
  readonly key: string;
  readonly attempts: readonly Attempt[];
}

export interface RaceOptions {
  readonly keys: number;
  readonly racers: number;
  readonly atOnce: number;
  readonly doors: readonly Door[];
  readonly random: Random;
  readonly query: (at: number) => string;
  readonly say?: (done: number) => void;
}

/**
 * Races for every key: all racers send at once, half over REST and half over MCP, half in the
 * background.
 */
export async function race(options: RaceOptions): Promise<readonly Race[]> {
  const races: Race[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < options.keys; at = next++) {
      const key = `race-${options.random.branch('key').below(1_000_000)}-${at}`;
      races.push(await raceFor(key, options));
      options.say?.(races.length);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, worker));
  return races;
}

async function raceFor(key: string, { racers, doors, random, query }: RaceOptions): Promise<Race> {
  const order = shuffled([...Array(racers).keys()], random);
  const attempts = order.map((at) => {
    const door = doors[Math.floor(at / 4) % doors.length];
    if (!door) throw new Error('there is no door');
    const surface = at % 2 === 0 ? 'rest' : 'mcp';
    const background = at % 4 < 2;
    return search({ ...door, surface }, { query: query(at), limit: 3, background }, key);
  });
  return { key, attempts: await Promise.all(attempts) };
}

/** Faults of a race with identical inputs: all racers must get the same operation. */
export function identicalRaceFaults({ key, attempts }: Race): string[] {
  const ids = new Set(attempts.filter(isAnswered).map(({ outcome }) => outcome.body.usage?.id));
  const faults = attempts.flatMap(({ outcome }) => {
    if (outcome.kind === 'lost') return [`${key}: no answer (${outcome.reason})`];
    if (outcome.status === 200 || outcome.status === 202) return [];
    return [`${key}: ${outcome.status} ${JSON.stringify(outcome.body)}`];
  });
  if (ids.size !== 1) faults.push(`${key}: ${ids.size} operations were named (${[...ids]})`);
  return faults;
}

/** Faults of a race with different inputs: one input wins, all others conflict. */
export function mixedRaceFaults({ key, attempts }: Race): string[] {
  const answered = attempts.filter(isAnswered);
  const winners = answered.filter(({ outcome }) => outcome.status === 200 || outcome.status === 202);
  const won = new Set(winners.map(({ input }) => input));
  const ids = new Set(winners.map(({ outcome }) => outcome.body.usage?.id));
  const faults = answered.flatMap(({ input, outcome }) => {
    const conflicts = outcome.status === 422 && outcome.body.error?.code === 'idempotency_conflict';
    if (won.has(input) ? winners.some((winner) => winner.outcome === outcome) : conflicts) return [];
    return [`${key}: ${outcome.status} ${JSON.stringify(outcome.body)} to ${input}`];
  });
  if (answered.length !== attempts.length)
    faults.push(`${key}: ${attempts.length - answered.length} without an answer`);
  if (won.size !== 1 || ids.size !== 1)
    faults.push(`${key}: ${won.size} inputs won and ${ids.size} operations were named`);
  return faults;
}

function shuffled<T>(items: T[], random: Random): T[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [items[at], items[other]] = [items[other] as T, items[at] as T];
  }
  return items;
}
