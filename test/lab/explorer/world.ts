import { setTimeout as pause } from 'node:timers/promises';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { Browser } from 'playwright-core';
import { createSubscriber, type Subscriber, type SubscriberOptions } from '../../support/subscriber.ts';
import { startChromium } from '../support/chromium.ts';
import { type BenchStackOptions, openBenchStack } from '../support/stack.ts';
import { type Fixture, recordFixture } from './fixture.ts';

export interface World extends AsyncDisposable {
  readonly baseUrl: string;
  readonly browser: Browser;
  readonly fixture: Fixture;
  credentialOf(name: string): string;
  subscribe(options?: SubscriberOptions): Promise<Subscriber>;
  /** Changes the status of a subscription. The gateway applies it within one second. */
  setStatus(subscriber: Subscriber, status: string): Promise<void>;
}

type Options = Pick<BenchStackOptions, 'directory' | 'signal'>;

export async function openWorld(program: string, { directory, signal }: Options): Promise<World> {
  await using cleanup = new AsyncDisposableStack();
  const { stack } = cleanup.use(await openBenchStack({ directory, sample: true, signal }));
  const browser = cleanup.use(await startChromium(program));
  const index = stack.client('search', SearchAdminService);
  const untilIndexed = async (tx = 0n) => {
    for (;;) {
      signal.throwIfAborted();
      const { lag, position } = await index.getIndexStatus({});
      if (lag === 0n && (position?.tx ?? 0n) >= tx) return;
      await pause(50);
    }
  };
  const fixture = await recordFixture({ record: stack.client('lookup', RecordService), untilIndexed });
  const ledgerAdmin = stack.client('ledger', LedgerAdminService);
  const baseUrl = stack.addressOf('gateway');
  const kept = cleanup.move();
  return {
    baseUrl,
    browser,
    fixture,
    credentialOf: (name) => stack.credentialOf(name),
    subscribe: (options) => createSubscriber({ baseUrl, ledgerAdmin }, options),
    async setStatus({ subscriptionId }, status) {
      await ledgerAdmin.updateSubscription({ subscriptionId, status });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
