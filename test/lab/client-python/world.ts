import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { waitForIndex } from '@ces/cli/index-position';
import { type Price, priceOf } from '@ces/client';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { startLossyProxy } from '../../client/lossy-proxy.ts';
import { facilities, recordEvidence } from '../../support/record.ts';
import { createSubscriber, type SubscriberOptions } from '../../support/subscriber.ts';
import { openBenchStack } from '../support/stack.ts';

/** A stack with eight companies, and accounts that no other test uses. */
export interface World extends AsyncDisposable {
  /** Environment of the README's examples for the Python with this number. */
  subscriber(at: number): Readonly<Record<string, string>>;
  /** Writes what the tests need to know to a file and returns its path. */
  write(at: number): Promise<string>;
}

const ACCOUNTS = 32;

export async function startWorld(folder: string, pythons: number): Promise<World> {
  await using cleanup = new AsyncDisposableStack();
  const { signal } = new AbortController();
  const { stack } = cleanup.use(await openBenchStack({ sample: false, signal }));
  const { companies, observations } = facilities(8, 'battery plant cold storage warehouse');
  const untilIndexed = async () => void (await waitForIndex(stack, { signal }));
  const record = stack.client('lookup', RecordService);
  const recorded = await recordEvidence({ record, untilIndexed }, companies, observations);
  const baseUrl = stack.addressOf('gateway');
  const lossy = cleanup.use(await startLossyProxy(baseUrl));
  const ledgerAdmin = stack.client('ledger', LedgerAdminService);
  const subscribe = async (options: SubscriberOptions = {}) =>
    (await createSubscriber({ baseUrl, ledgerAdmin }, options)).token;
  const accountsOf = async () => ({
    example: await subscribe(),
    test_key: await subscribe({ plan: 'builder', testMode: true }),
    api_keys: await Promise.all(Array.from({ length: ACCOUNTS }, () => subscribe())),
  });
  const accounts = await Promise.all(Array.from({ length: pythons }, accountsOf));
  const kept = cleanup.move();
  return {
    subscriber: (at) => ({ CES_GATEWAY_URL: baseUrl, CES_TOKEN: accounts[at]?.example ?? '' }),
    async write(at) {
      const file = path.join(folder, `world-${at}.json`);
      const { companies: ids, observations: observationIds } = recorded;
      const facts = { company_id: ids.c1, observation_id: observationIds.o1, prices: PRICES };
      await writeFile(file, JSON.stringify({ base_url: baseUrl, lossy_url: lossy.url, ...accounts[at], ...facts }));
      return file;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Calls of `price_of` with their parameters and the price by `priceOf`. */
const PRICES = [
  ...[{}, { limit: 7 }, { target: 4 }, { target: 40 }, { limit: 3, target: 40 }].map((input) =>
    priced('search', input, priceOf.search(input)),
  ),
  ...[0, 3, 8, 20].map((returned) =>
    priced('search', { limit: 5, available: 8, returned }, priceOf.search({ limit: 5, available: 8, returned })),
  ),
  priced('company_lookup', { ids: [1, 2, 2, 999] }, priceOf.companyLookup({ ids: [1, 2, 2, 999] })),
  ...[
    ['Northwind1.example', ' northwind1.example. ', 'bücher.example', 'xn--bcher-kva.example'],
    ['a.example', 'a.example..', '', 'straße.example', 'BÜCHER.example.'],
  ].flatMap((domains) => [
    priced('company_lookup', { domains }, priceOf.companyLookup({ domains })),
    priced('observation_lookup', { domains }, priceOf.observationLookup({ domains })),
  ]),
  priced('diagnostic', {}, priceOf.diagnostic()),
];

function priced(call: string, parameters: object, { requestUnits, deliveredUnits }: Price) {
  return [call, parameters, requestUnits, deliveredUnits] as const;
}
