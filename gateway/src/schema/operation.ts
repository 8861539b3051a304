import { STATUS_NAMES } from '@ces/proto/operations';
import Type, { type Static } from 'typebox';
import { Count, closed, Id, namedChoice } from './primitives.ts';

export const Operation = closed(
  'Operation',
  {
    id: Id,
    status: namedChoice('OperationStatus', [...STATUS_NAMES]),
    request_key: Type.String({ description: 'The idempotency key of the operation, outer white space trimmed.' }),
    request_units: Count,
    delivered_units: Count,
    fresh_evidence_units: Count,
  },
  'The operation of a call. Units are what it settled: zeros while it is pending or processing, and when it failed.',
);
export type Operation = Static<typeof Operation>;

export const Allowance = closed(
  'Allowance',
  { window_seconds: Count, window_remaining: Count, weekly_remaining: Count },
  'Request units that are left now in the rolling window and in the rolling week.',
);
export type Allowance = Static<typeof Allowance>;

export const Pending = closed(
  'Pending',
  { usage: Operation, request_allowance: Allowance },
  'An operation that is not finished. Poll GET /api/usages/{id}, or repeat the identical call.',
);
export type Pending = Static<typeof Pending>;
