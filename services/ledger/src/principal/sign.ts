import { sign } from 'node:crypto';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type PrincipalSchema,
  PrincipalStatementSchema,
  type SignedStatementSchema,
} from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { SigningKeys } from './signing-keys.ts';

const AUDIENCE = 'operations';
/** Covers the gateway's cache, including a ledger outage, transit, queueing and a margin. */
const LIFETIME_MS = 150_000;

export function signPrincipal(
  principal: MessageInitShape<typeof PrincipalSchema>,
  [key]: SigningKeys,
  now: Date,
): MessageInitShape<typeof SignedStatementSchema> {
  const statement = toBinary(
    PrincipalStatementSchema,
    create(PrincipalStatementSchema, {
      principal,
      audience: AUDIENCE,
      issuedAt: timestampFromDate(now),
      expiresAt: timestampFromDate(new Date(now.getTime() + LIFETIME_MS)),
    }),
  );
  return { key: key.name, statement, signature: sign(null, statement, key.privateKey) };
}
