import { seeded } from '../../../support/random.ts';
import { failedCalls, percentile, runTraffic } from '../../drills/rolling/traffic.ts';
import type { Attempt } from '../../load/attempt.ts';
import type { Door } from '../../load/client.ts';
import { COMPANIES_PER_WORD, evidence, fillRecord, hostOf, WORDS } from '../../load/evidence.ts';
import { type Account, AMPLE, createAccount, ledgerAdmin } from '../../load/subscribers.ts';
import { PROXY_URL, type Product, podsOf, secretsOf, urlOf } from './product.ts';

/** A record with companies and a subscriber who may call as often as they like. */
export interface Subscriber {
  readonly account: Account;
  /** Calls at a steady rate through the proxy, from now on. */
  call(name: string, rate: number): Load;
}

interface Load {
  /** Every call, once the last has been answered. */
  stop(): Promise<readonly Attempt[]>;
}

export async function subscribe(product: Product, seed: string): Promise<Subscriber> {
  const pods = await podsOf(product.api);
  const { CES_RPC_TOKEN: admin = '' } = await secretsOf(product.folder, 'admin');
  await fillRecord(evidence(urlOf(pods, 'lookup'), urlOf(pods, 'search'), admin));
  const account = await createAccount(ledgerAdmin(urlOf(pods, 'ledger'), admin), AMPLE, 2);
  const { accountId } = account;
  const doors = account.tokens.map((token): Door => ({ baseUrl: PROXY_URL, token, accountId, surface: 'rest' }));
  const domains = WORDS.flatMap((_, word) =>
    Array.from({ length: COMPANIES_PER_WORD }, (_, at) => hostOf(`base${word}x${at}`)),
  );
  return {
    account,
    call(name, rate) {
      const closing = new AbortController();
      const options = { rate, doors, random: seeded(seed).branch(name), words: WORDS, domains, name };
      const calls = runTraffic(options, closing.signal);
      return {
        async stop() {
          closing.abort();
          return await calls;
        },
      };
    },
  };
}

/** What calls came to, in figures. */
export function figuresOf(attempts: readonly Attempt[]) {
  return {
    calls: attempts.length,
    failed: failedCalls(attempts).length,
    'p50, ms': percentile(attempts, 50),
    'p99, ms': percentile(attempts, 99),
  };
}
