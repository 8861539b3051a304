import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { expect, test } from 'vitest';
import { decideOutcome } from './decide-outcome.ts';

test.each([
  ['NOT_FOUND', { known: false, candidates: 0, observations: 0 }],
  ['UNAVAILABLE', { known: true, candidates: 0, observations: 0 }],
  ['UNAVAILABLE', { known: true, candidates: 1, observations: 0 }],
  ['FOUND', { known: true, candidates: 1, observations: 1 }],
  ['AMBIGUOUS', { known: true, candidates: 2, observations: 0 }],
] as const)('%s of %o', (status, resolved) => {
  expect(decideOutcome(resolved)).toBe(LookupStatus[status]);
});
