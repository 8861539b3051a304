import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { MovementSchema } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { SettlementSchema } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { describe, expect, test } from 'vitest';
import { findDifferences, type OperationPair } from './compare.ts';

const OLDEST = new Date('2026-01-01T12:00:00Z');
const YOUNG = new Date('2026-01-01T12:30:00Z');
const OLD = new Date('2026-01-01T11:30:00Z');
const LONG_AGO = new Date('2024-11-25T12:00:00Z');

interface Facts {
  readonly status?: Status;
  readonly metered?: boolean;
  readonly units?: readonly [number, number];
  readonly stored?: number;
  readonly hold?: HoldState;
  readonly taken?: Date;
  readonly entry?: readonly [number, number];
  readonly payer?: bigint;
  readonly reversed?: boolean;
}

function pair({
  status,
  metered = true,
  units = [0, 0],
  stored,
  hold,
  taken = YOUNG,
  entry,
  payer = 5n,
  reversed = false,
}: Facts): OperationPair {
  const about = { operationId: 1n, subscriptionId: 5n };
  return {
    operationId: 1n,
    settlement:
      status === undefined
        ? undefined
        : create(SettlementSchema, {
            ...about,
            status,
            metered,
            units: amount(units),
            storedCompanies: BigInt(stored ?? units[1]),
          }),
    movement:
      hold === undefined
        ? undefined
        : create(MovementSchema, {
            hold: { ...about, state: hold, units: amount([1, 10]), createdAt: timestampFromDate(taken) },
            ...(reversed && { reversal: { reason: 'lost' } }),
            ...(entry && { entry: { ...about, subscriptionId: payer, units: amount(entry) } }),
          }),
  };
}

function amount([request, delivered]: readonly [number, number]) {
  return { requestUnits: BigInt(request), deliveredUnits: BigInt(delivered) };
}

const { DELIVERED, FAILED, PENDING, PROCESSING } = Status;
const { HELD, POSTED, REFUSED, VOID } = HoldState;

describe('nothing is wrong with', () => {
  test.each<[string, Facts]>([
    ['a delivered operation with an equal entry', { status: DELIVERED, units: [1, 7], hold: POSTED, entry: [1, 7] }],
    ['one that found nothing', { status: DELIVERED, units: [1, 0], hold: POSTED, entry: [1, 0] }],
    ['a failed one whose hold was given back', { status: FAILED, hold: VOID }],
    ['a failed one the ledger never heard of', { status: FAILED }],
    ['a pending one with a young hold', { status: PENDING, hold: HELD }],
    ['one between its hold and its insert', { status: PENDING }],
    ['one that is settled and not marked yet', { status: PROCESSING, hold: POSTED, entry: [1, 7] }],
    ['a refusal that left a tombstone', { hold: REFUSED }],
    ['a failure whose settlement was reversed', { status: FAILED, hold: VOID, reversed: true }],
    ['a lost operation whose settlement was reversed', { hold: VOID, reversed: true }],
    ['a diagnostic', { status: DELIVERED, metered: false }],
    ['an entry of an operation that is kept no longer', { hold: POSTED, entry: [1, 7], taken: LONG_AGO }],
  ])('%s', (_, facts) => {
    expect(findDifferences(pair(facts), OLDEST)).toEqual([]);
  });
});

describe('something is wrong with', () => {
  test.each<[string, Facts, string]>([
    ['a delivered operation without an entry', { status: DELIVERED, units: [1, 7] }, 'no entry'],
    ['other units', { status: DELIVERED, units: [1, 7], hold: POSTED, entry: [1, 6] }, 'units 1/7/0, the ledger 1/6/0'],
    [
      'other companies stored',
      { status: DELIVERED, units: [1, 7], stored: 6, hold: POSTED, entry: [1, 7] },
      '7 delivered units for 6 companies',
    ],
    [
      'another payer',
      { status: DELIVERED, units: [1, 7], hold: POSTED, entry: [1, 7], payer: 6n },
      'subscription 5, the ledger 6',
    ],
    [
      'a delivered operation whose settlement was reversed',
      { status: DELIVERED, units: [1, 7], hold: VOID, reversed: true },
      'no entry',
    ],
    [
      'a failure that was charged',
      { status: FAILED, hold: POSTED, entry: [1, 0] },
      'it failed, yet the ledger settled',
    ],
    ['a failure that still blocks units', { status: FAILED, hold: HELD }, 'it failed, yet 1/10/0 units are held'],
    ['an old hold', { status: PROCESSING, hold: HELD, taken: OLD }, 'held since 2026-01-01T11:30:00.000Z'],
    ['a hold without an operation', { hold: HELD }, 'operations has no such operation'],
    ['a hold of long ago', { hold: HELD, taken: LONG_AGO }, 'operations has no such operation'],
    ['an entry without an operation', { hold: POSTED, entry: [1, 1] }, 'operations has no such operation'],
    [
      'a posted hold without an entry',
      { status: PROCESSING, hold: POSTED },
      'its hold is posted, and there is no entry',
    ],
    ['an entry on a void hold', { status: PROCESSING, hold: VOID, entry: [1, 0] }, 'its hold is void'],
    ['a charged diagnostic', { status: DELIVERED, metered: false, hold: VOID }, 'it is not metered'],
  ])('%s', (_, facts, sentence) => {
    expect(findDifferences(pair(facts), OLDEST)).toEqual([expect.stringContaining(sentence)]);
  });
});
