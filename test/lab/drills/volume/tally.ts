import type { Random } from '../../../support/random.ts';
import type { Fault } from '../faults/fault.ts';
import type { Arena } from '../trial/arena.ts';
import { answeredAgain } from './answered-again.ts';
import type { Asked, Lane } from './plans.ts';

/** Tries allowed for each required fault, because some have no effect. */
const TRIES_A_TIME = 3;

interface Count {
  readonly fault: Fault;
  left: number;
  triesLeft: number;
}

export class Tally {
  readonly #lanes: readonly (readonly Count[])[];
  readonly #asked = new Map<string, number>();
  readonly #made = new Map<string, number>();
  readonly answeredAgainMs: number[] = [];

  constructor(lanes: readonly Lane[]) {
    this.#lanes = lanes.map((lane) => lane.map((asked) => this.#count(asked)));
  }

  get isDone(): boolean {
    return this.#lanes.every((lane) => lane.every(isDone));
  }

  get counts(): Readonly<Record<string, { readonly made: number; readonly asked: number }>> {
    return Object.fromEntries(
      [...this.#asked].map(([name, asked]) => [name, { made: this.#made.get(name) ?? 0, asked }]),
    );
  }

  /**
   * Injects the next faults of all lanes concurrently, at most `many` each. Waits for an answered
   * call after each. Resolves with descriptions.
   */
  async make(many: number, arena: Arena, random: Random): Promise<readonly string[]> {
    const lanes = this.#lanes.map((lane, at) => this.#makeLane(lane, many, arena, random.branch(`lane ${at}`)));
    return (await Promise.all(lanes)).flat();
  }

  async #makeLane(lane: readonly Count[], many: number, arena: Arena, random: Random): Promise<string[]> {
    const said: string[] = [];
    for (let at = 0; at < many; at += 1) {
      const open = lane.filter((count) => !isDone(count));
      if (open.length === 0) break;
      const count = random.pick(open.flatMap((one) => Array.from({ length: one.left }, () => one)));
      const { name } = count.fault;
      count.triesLeft -= 1;
      const effect = await count.fault.run(arena.cluster, random);
      const answeredMs = await answeredAgain(arena);
      if (effect === undefined) {
        said.push(`${name} without effect`);
        continue;
      }
      this.answeredAgainMs.push(answeredMs);
      count.left -= 1;
      this.#made.set(name, (this.#made.get(name) ?? 0) + 1);
      said.push(`${name} ${effect}`.trim());
    }
    return said;
  }

  #count({ fault, times }: Asked): Count {
    this.#asked.set(fault.name, (this.#asked.get(fault.name) ?? 0) + times);
    return { fault, left: times, triesLeft: times * TRIES_A_TIME };
  }
}

function isDone({ left, triesLeft }: Count): boolean {
  return left === 0 || triesLeft === 0;
}
