import { createRpcClient } from '@ces/chassis/rpc/client';
import { startRpcServer } from '@ces/chassis/rpc/server';
import { createLogger } from '@ces/chassis/telemetry/log';
import { acceptTokens } from '@ces/chassis/test-support/accept-tokens';
import { type HydrateRequest, LookupService, type SingleRead } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { expect, test } from 'vitest';
import { batchReads } from './batched-reads.ts';

const page = {
  companies: Array.from({ length: 1_000 }, (_, index) => ({
    companyId: 900_000_000n + BigInt(index),
    observationIds: [0, 1, 2].map((at) => 2_000_000_000n + BigInt(index * 3 + at)),
  })),
};

test('fifty hydrations of the largest page at one moment are all answered', async () => {
  const hydrate = ({ companies }: HydrateRequest) => ({
    companies: companies.map(({ companyId }) => ({ survivorId: companyId })),
  });
  const hydrateOne = ({ read }: SingleRead, index: number) => ({
    index,
    answer: { case: 'hydrate', value: hydrate(read.value as HydrateRequest) } as const,
  });
  const batched: number[] = [];
  await using server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) =>
      void router.service(LookupService, {
        hydrate,
        read: async function* ({ reads }) {
          batched.push(reads.length);
          yield { answers: reads.map(hydrateOne) };
        },
      }),
    callers: { [LookupService.typeName]: { '*': ['operations'] } },
    callerTokens: acceptTokens({ operations: 'token' }),
    logger: createLogger('test', 'silent'),
  });
  const client = createRpcClient(LookupService, { url: server.url, callerToken: 'token', timeoutMs: 30_000 });
  const lookup = batchReads(client);
  const answers = await Promise.all(Array.from({ length: 51 }, () => lookup.hydrate(page, { timeoutMs: 30_000 })));
  expect(answers.map(({ companies }) => companies.length)).toEqual(Array(51).fill(1_000));
  expect(Math.max(...batched)).toBeGreaterThan(1);
});
