import type { Random } from '../../../support/random.ts';
import type { Attempt } from '../../load/attempt.ts';
import { WORDS } from '../../load/evidence.ts';
import { runTraffic } from '../rolling/traffic.ts';
import type { NamedStack } from './named-stack.ts';

/** Words without results, so that searches call acquisition. */
const RARE_WORDS = ['lighthouse', 'observatory'] as const;

export class SteadyLoad {
  readonly #stop = new AbortController();
  readonly #calls: Promise<readonly Attempt[]>;

  constructor(name: string, stack: NamedStack, rate: number, random: Random) {
    const options = {
      name,
      rate,
      get doors() {
        return stack.doors();
      },
      random,
      words: [...WORDS, ...RARE_WORDS],
      domains: stack.domains,
    };
    this.#calls = runTraffic(options, this.#stop.signal);
  }

  async stop(): Promise<readonly Attempt[]> {
    this.#stop.abort();
    return await this.#calls;
  }
}
