import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { AccountSchema, HoldSchema, HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { ObservationRecordSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { expect, test } from 'vitest';
import { plain } from './plain.ts';

test('a message becomes an object in the words of the interface', () => {
  const createdAt = timestampFromDate(new Date('2026-01-02T03:04:05.678Z'));
  const hold = create(HoldSchema, { operationId: 7n, state: HoldState.HELD, units: { requestUnits: 1n }, createdAt });
  expect(plain(HoldSchema, hold)).toEqual({
    operation_id: 7,
    operation_identity: '',
    subscription_id: 0,
    state: 'held',
    units: { request_units: 1, delivered_units: 0, fresh_evidence_units: 0 },
    created_at: '2026-01-02T03:04:05.678Z',
  });
});

test('absent messages and own numbers stay absent, lists are kept, bytes are hexadecimal', () => {
  const account = create(AccountSchema, {
    id: 1n,
    subscription: { plan: 'builder', ownLimits: { weekRequestUnits: 5n } },
  });
  expect(plain(AccountSchema, account)).toMatchObject({
    id: 1,
    subscription: { own_limits: { week_request_units: 5 } },
  });
  expect(plain(AccountSchema, account)).not.toHaveProperty('created_at');
  expect(plain(AccountSchema, account).subscription as object).not.toHaveProperty('effective_limits');
  const record = create(ObservationRecordSchema, {
    contentHash: Uint8Array.of(0, 255),
    categories: ['11'],
    evidence: [{}],
    country: Country.CA,
  });
  expect(plain(ObservationRecordSchema, record)).toMatchObject({
    country: 'CA',
    content_hash: '00ff',
    categories: ['11'],
    evidence: [{ excerpt: '' }],
  });
});
