import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { Browser } from 'playwright-core';
import { createSubscriber, type Subscriber, type SubscriberOptions } from '../../support/subscriber.ts';
import { startChromium } from '../support/chromium.ts';
import { type BenchStackOptions, openBenchStack } from '../support/stack.ts';

/** A stack with its sample, and a browser to look at it with. */
export interface World extends AsyncDisposable {
  readonly baseUrl: string;
  readonly browser: Browser;
  /** An account of its own with a subscription and an API key. */
  subscribe(options?: SubscriberOptions): Promise<Subscriber>;
  /** Changes the status of a subscription; the gateway sees it within a second. */
  setStatus(subscriber: Subscriber, status: string): Promise<void>;
}

export async function openWorld(
  program: string,
  { directory, signal }: Pick<BenchStackOptions, 'directory' | 'signal'>,
): Promise<World> {
  await using cleanup = new AsyncDisposableStack();
  const { stack } = cleanup.use(await openBenchStack({ directory, sample: true, signal }));
  const browser = cleanup.use(await startChromium(program));
  const ledgerAdmin = stack.client('ledger', LedgerAdminService);
  const baseUrl = stack.addressOf('gateway');
  const kept = cleanup.move();
  return {
    baseUrl,
    browser,
    subscribe: (options) => createSubscriber({ baseUrl, ledgerAdmin }, options),
    async setStatus({ subscriptionId }, status) {
      await ledgerAdmin.updateSubscription({ subscriptionId, status });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
