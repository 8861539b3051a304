import { ANYONE } from '@ces/chassis/rpc/caller';
import { acceptTokens } from '@ces/chassis/rpc/caller-tokens';
import { startRpcServer } from '@ces/chassis/rpc/server';
import { createLogger } from '@ces/chassis/telemetry/log';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';
import { methods } from './grpc.ts';

/** The status of a company search over gRPC that its server ends so. */
async function statusOfSearch(end: () => object): Promise<number | undefined> {
  await using server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) => router.service(OperationsService, { submitCompanySearch: end }),
    callers: { [OperationsService.typeName]: { '*': [ANYONE] } },
    callerTokens: acceptTokens({}),
    logger: createLogger('test', 'silent'),
  });
  const endpoints = methods({ gateway: '', operations: server.url, token: 'a' });
  return await endpoints.find(({ name }) => name === 'gRPC SubmitCompanySearch')?.send('{"query":"a"}');
}

const statusOf = async (code: Code) =>
  await statusOfSearch(() => {
    throw new ConnectError('no', code);
  });

/** Every other code is a refusal. */
const FAULTS: readonly Code[] = [
  Code.Internal,
  Code.Unknown,
  Code.DataLoss,
  Code.Unimplemented,
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Aborted,
  Code.Canceled,
];
const REFUSALS = Object.values(Code).filter((code): code is Code => typeof code === 'number' && !FAULTS.includes(code));

test.each(FAULTS)(
  'a call that ends with gRPC code %i is a fault of the server, as a status of 500 is',
  async (code) => {
    expect(await statusOf(code)).toBe(500);
  },
);

test.each(REFUSALS)('a call that ends with gRPC code %i is refused', async (code) => {
  expect(await statusOf(code)).toBe(422);
});

test('a call that is answered is neither', async () => {
  expect(await statusOfSearch(() => ({}))).toBe(200);
});
