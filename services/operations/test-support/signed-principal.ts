import { generateKeyPairSync, sign } from 'node:crypto';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { type PrincipalSchema, PrincipalStatementSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';

const HOUR_MS = 3_600_000;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const NAME = 'test';

export const SIGNING_KEY = { name: NAME, publicKey: publicKey.export({ format: 'der', type: 'spki' }) };

export function signed<P extends MessageInitShape<typeof PrincipalSchema>>(principal: P) {
  const now = Date.now();
  const statement = toBinary(
    PrincipalStatementSchema,
    create(PrincipalStatementSchema, {
      principal,
      audience: 'operations',
      issuedAt: timestampFromMs(now - HOUR_MS),
      expiresAt: timestampFromMs(now + 12 * HOUR_MS),
    }),
  );
  return { ...principal, signed: { key: NAME, statement, signature: sign(null, statement, privateKey) } };
}
