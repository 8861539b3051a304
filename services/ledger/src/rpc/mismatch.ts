import type { MessageInitShape } from '@bufbuild/protobuf';
import { MismatchField, type MismatchSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { type Counter, metrics } from '@opentelemetry/api';
import type { MismatchField as FieldName } from '../allowance/mismatch.ts';
import { readHighestOperationId } from '../db/hold.ts';
import { PostingMismatch, type PostingResult } from '../posting/result.ts';
import type { Dependencies } from './dependencies.ts';

interface MismatchAnswer {
  readonly mismatch: MessageInitShape<typeof MismatchSchema>;
}

export type Answer = PostingResult | MismatchAnswer;

/** A number was given twice (promise R31). */
export async function answerMismatch<Result>(
  { pool, logger, mismatches }: Pick<Dependencies, 'pool' | 'logger' | 'mismatches'>,
  posting: Promise<Result>,
): Promise<Result | MismatchAnswer> {
  try {
    return await posting;
  } catch (error) {
    if (!(error instanceof PostingMismatch)) throw error;
    const { kind, field, operation } = error;
    mismatches.add(1, { call: kind, field });
    const { operationId, identity, accountId, subscriptionId } = operation;
    const about = { operation_id: operationId, identity, account_id: accountId, subscription_id: subscriptionId };
    logger.error({ ...about, call: kind, field }, 'the ledger knows another operation under this number');
    return { mismatch: { field: FIELDS[field], highestOperationId: await readHighestOperationId(pool) } };
  }
}

/** The first increase must be visible. Call after telemetry starts. */
export function countMismatches(): Counter {
  const mismatches = metrics.getMeter('ces').createCounter('ces.ledger.mismatches', {
    description: 'Calls that named another operation than the ledger knows under their number, or other units.',
  });
  for (const call of ['reserve', 'charge', 'settle', 'release'])
    for (const field of Object.keys(FIELDS)) mismatches.add(0, { call, field });
  return mismatches;
}

const FIELDS: Readonly<Record<FieldName, MismatchField>> = {
  identity: MismatchField.IDENTITY,
  account: MismatchField.ACCOUNT,
  subscription: MismatchField.SUBSCRIPTION,
  units: MismatchField.UNITS,
};
