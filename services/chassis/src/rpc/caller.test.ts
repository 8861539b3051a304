import type { DescMethod } from '@bufbuild/protobuf';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { Health } from '@ces/proto/grpc/health/v1/health_pb.ts';
import { ServerReflection } from '@ces/proto/grpc/reflection/v1/reflection_pb.ts';
import { expect, test } from 'vitest';
import { acceptTokens } from '../../test-support/accept-tokens.ts';
import { FailureCode, failureOf } from '../failure.ts';
import {
  ANYONE,
  authorizeCaller,
  CALLER_TOKEN_HEADER,
  type CallerPolicy,
  identify,
  type KnownCallers,
} from './caller.ts';

const policy: CallerPolicy = {
  'ces.ledger.v1.LedgerService': {
    Authenticate: ['gateway', 'operations'],
    Settle: ['operations'],
    GetAllowance: [ANYONE],
  },
};
const tokens = {
  callerTokens: acceptTokens({ gateway: 'g-token', operations: 'o-token' }),
};
const method = LedgerService.method;

async function authorized(token: string | null, asked: DescMethod, known: KnownCallers = tokens) {
  const header = new Headers(token === null ? {} : { [CALLER_TOKEN_HEADER]: token });
  return authorizeCaller(policy, known, await identify(known, header), asked);
}

async function refusal(token: string | null, asked: DescMethod) {
  return await authorized(token, asked).then(
    () => undefined,
    (error: unknown) => failureOf(error)?.code,
  );
}

test('a caller may call what lists it, and its name is known', async () => {
  expect(await authorized('g-token', method.authenticate)).toMatchObject({ name: 'gateway' });
  expect(await authorized('o-token', method.settle)).toMatchObject({ name: 'operations' });
});

test('a method that does not list the caller is refused: only operations settles', async () => {
  expect(await refusal('g-token', method.settle)).toBe(FailureCode.CALLER_NOT_ALLOWED);
});

test('a method without listed callers is refused to every caller', async () => {
  expect(await refusal('o-token', method.release)).toBe(FailureCode.CALLER_NOT_ALLOWED);
});

test('an unknown token is refused even where no token is needed', async () => {
  expect(await authorized(null, method.getAllowance)).toMatchObject({ name: ANYONE });
  expect(await refusal('guess', method.getAllowance)).toBe(FailureCode.CALLER_UNAUTHENTICATED);
});

test('health and reflection are for callers with a token, and for all callers where that is set', async () => {
  for (const described of [Health.method.check, ServerReflection.method.serverReflectionInfo]) {
    expect(await refusal(null, described)).toBe(FailureCode.CALLER_NOT_ALLOWED);
    expect(await authorized('o-token', described)).toMatchObject({ name: 'operations' });
    expect(await authorized(null, described, { ...tokens, introspection: true })).toMatchObject({ name: ANYONE });
  }
});
