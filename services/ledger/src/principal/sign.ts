import { sign } from 'node:crypto';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type PrincipalSchema,
  PrincipalStatementSchema,
  type SignedStatementSchema,
} from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { SigningKey } from './signing-keys.ts';

/** The program that acts for whom the gateway names. */
const AUDIENCE = 'operations';
/**
 * How long a statement counts, in milliseconds: as long as the gateway may keep an answer that nothing has changed of, use it while the
 * ledger is away, a request may take to arrive and a call may wait for its turn, and some more.
 */
const LIFETIME_MS = 150_000;

/** What operations believes of a principal at `now`; undefined without a key. */
export function signPrincipal(
  principal: MessageInitShape<typeof PrincipalSchema>,
  [key]: readonly SigningKey[],
  now: Date,
): MessageInitShape<typeof SignedStatementSchema> | undefined {
  if (!key) return undefined;
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
