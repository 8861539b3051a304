import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetSigningKeysResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { Dependencies } from './dependencies.ts';

export async function getSigningKeys({
  signingKeys,
  clock,
}: Dependencies): Promise<MessageInitShape<typeof GetSigningKeysResponseSchema>> {
  return {
    keys: signingKeys.map(({ name, publicKey }) => ({ name, publicKey })),
    now: timestampFromDate(await clock.now()),
  };
}
