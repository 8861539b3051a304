import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetRetentionResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { readKeptSince } from '../db/retention.ts';
import type { Dependencies } from './dependencies.ts';

const DAY_SECONDS = 86_400;

export async function getRetention({
  pool,
  keptDays,
}: Dependencies): Promise<MessageInitShape<typeof GetRetentionResponseSchema>> {
  return {
    keptSeconds: BigInt(keptDays * DAY_SECONDS),
    keptSince: timestampFromDate(await readKeptSince(pool, keptDays)),
  };
}
