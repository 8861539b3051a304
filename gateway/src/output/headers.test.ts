import { create } from '@bufbuild/protobuf';
import { AllowanceSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { parseList } from 'structured-headers';
import { expect, test } from 'vitest';
import { renderAllowanceHeaders } from './headers.ts';

const headers = renderAllowanceHeaders(
  create(AllowanceSchema, {
    windowLimit: 60n,
    windowSeconds: 18_000n,
    windowRemaining: 0n,
    windowResetSeconds: 17n,
    weeklyLimit: 500n,
    weeklyRemaining: 499n,
    weeklyResetSeconds: 604_790n,
  }),
);

/** Draft 11, sections 3 and 4: lists of strings, whose parameters are non-negative integers. */
function itemsOf(name: string): readonly (readonly [unknown, Record<string, unknown>])[] {
  return parseList(headers[name] ?? '').map(([value, parameters]) => [value, Object.fromEntries(parameters)]);
}

test('RateLimit-Policy is a list of named policies with quota and window', () => {
  expect(itemsOf('ratelimit-policy')).toEqual([
    ['window', { q: 60, w: 18_000 }],
    ['week', { q: 500, w: 604_800 }],
  ]);
});

test('RateLimit names each policy once, with what is available and for how many seconds', () => {
  expect(itemsOf('ratelimit')).toEqual([
    ['window', { r: 0, t: 17 }],
    ['week', { r: 499, t: 604_790 }],
  ]);
});
