import { failedCalls } from '../../drills/rolling/traffic.ts';
import type { Attempt } from '../../load/attempt.ts';
import { type Door, lookUp, search } from '../../load/client.ts';
import { WORDS } from '../../load/evidence.ts';
import type { Subscriber } from './load.ts';
import { PROXY_URL } from './product.ts';

/** What each client of a crowd asks for, again and again. */
export type Question = 'look-up' | 'search' | 'background search';

interface Crowd {
  /** Calls that were answered and those that were refused, once the last is over. */
  stop(): Promise<{ readonly answered: number; readonly refused: number }>;
}

/** Clients that each call as soon as they were answered, which may be a refusal; every call counts in the books. */
export function startCrowd({ account, attempts, domains }: Subscriber, question: Question, clients: number): Crowd {
  const door: Door = {
    ...{ baseUrl: PROXY_URL, token: account.tokens[0] ?? '', accountId: account.accountId },
    surface: 'rest',
  };
  const own: Attempt[] = [];
  let stopped = false;
  const client = async (number: number) => {
    for (let turn = 0; !stopped; turn += 1) {
      const key = `crowd-${question}-${number}-${turn}`;
      const at = number + turn * clients;
      own.push(
        await ask(door, question, key, {
          word: WORDS[at % WORDS.length] ?? '',
          domain: domains[at % domains.length] ?? '',
        }),
      );
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return {
    async stop() {
      stopped = true;
      await all;
      attempts.push(...own);
      const refused = failedCalls(own).length;
      return { answered: own.length - refused, refused };
    },
  };
}

function ask(
  door: Door,
  question: Question,
  key: string,
  { word, domain }: { readonly word: string; readonly domain: string },
): Promise<Attempt> {
  if (question === 'look-up') return lookUp(door, [domain], key);
  return search(door, { query: word, limit: 3, ...(question === 'background search' && { background: true }) }, key);
}
