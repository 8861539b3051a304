import { setTimeout as pause } from 'node:timers/promises';
import type { FilterClass } from './filter-classes.ts';
import type { Engine } from './own-engine.ts';

export interface Crowd {
  readonly within: string;
  readonly name: string;
  readonly times: readonly number[];
  readonly failed: number;
  readonly seconds: number;
}

const CLIENTS = 20;
const SECONDS = 10;
const BETWEEN_MS = 1_000;

/** Runs twenty clients without pauses, then twenty with one query a second each. */
export async function askInCrowds(
  engine: Engine,
  queries: readonly (readonly string[])[],
  within: FilterClass,
): Promise<Crowd[]> {
  const crowd = async (name: string, betweenMs: number) => {
    const times: number[] = [];
    let failed = 0;
    const begun = performance.now();
    const until = begun + SECONDS * 1000;
    const client = async (number: number) => {
      await pause((betweenMs * number) / CLIENTS);
      for (let turn = number; performance.now() < until; turn += CLIENTS) {
        const asked = performance.now();
        await engine.ask(queries[turn % queries.length] ?? [], within).catch(() => {
          failed += 1;
        });
        times.push(performance.now() - asked);
        await pause(Math.max(0, asked + betweenMs - performance.now()));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    const seconds = (performance.now() - begun) / 1000;
    return { within: within.name, name, times, failed, seconds };
  };
  return [
    await crowd(`${CLIENTS} clients, one a second each`, BETWEEN_MS),
    await crowd(`${CLIENTS} clients without a pause`, 0),
  ];
}
