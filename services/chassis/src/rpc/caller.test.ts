import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { Health } from '@ces/proto/grpc/health/v1/health_pb.ts';
import { ServerReflection } from '@ces/proto/grpc/reflection/v1/reflection_pb.ts';
import { expect, test } from 'vitest';
import { ANYONE, authorizeCaller, type CallerPolicy } from './caller.ts';
import { acceptTokens } from './caller-tokens.ts';
import { FailureCode, failureOf } from './failure.ts';

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

function refusal(run: () => unknown) {
  try {
    run();
  } catch (error) {
    return failureOf(error)?.code;
  }
  return undefined;
}

test('a caller may call what lists it, and its name is known', () => {
  expect(authorizeCaller(policy, tokens, 'g-token', method.authenticate)).toMatchObject({ name: 'gateway' });
  expect(authorizeCaller(policy, tokens, 'o-token', method.settle)).toMatchObject({ name: 'operations' });
});

test('what does not list the caller is refused: only operations settles', () => {
  expect(refusal(() => authorizeCaller(policy, tokens, 'g-token', method.settle))).toBe(FailureCode.CALLER_NOT_ALLOWED);
});

test('a method that nobody lists is refused to everybody', () => {
  expect(refusal(() => authorizeCaller(policy, tokens, 'o-token', method.release))).toBe(
    FailureCode.CALLER_NOT_ALLOWED,
  );
});

test('an unknown token is refused even where no token is needed', () => {
  expect(authorizeCaller(policy, tokens, null, method.getAllowance)).toMatchObject({ name: ANYONE });
  expect(refusal(() => authorizeCaller(policy, tokens, 'guess', method.getAllowance))).toBe(
    FailureCode.CALLER_UNAUTHENTICATED,
  );
});

test('health and reflection are for callers with a token, and for everybody where that is set', () => {
  for (const described of [Health.method.check, ServerReflection.method.serverReflectionInfo]) {
    expect(refusal(() => authorizeCaller(policy, tokens, null, described))).toBe(FailureCode.CALLER_NOT_ALLOWED);
    expect(authorizeCaller(policy, tokens, 'o-token', described)).toMatchObject({ name: 'operations' });
    expect(authorizeCaller(policy, { ...tokens, introspection: true }, null, described)).toMatchObject({
      name: ANYONE,
    });
  }
});
