import { verify } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { type Principal, PrincipalStatementSchema, type SignedStatement } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { LedgerKeys } from './ledger-keys.ts';

/** The program that statements must be meant for. */
const AUDIENCE = 'operations';
/** What the ledger's clock and what is known of it may differ by, in milliseconds: answers on their way, a clock that is adjusted. */
const TOLERANCE_MS = 30_000;

export type Verdict =
  | { readonly kind: 'believed'; readonly principal: Principal }
  /** Signed by a key that is not known, or at another time: those who know newer keys and the time may judge otherwise. */
  | { readonly kind: 'unknown key' | 'out of time' }
  /** Not the ledger's word, or not for us. */
  | { readonly kind: 'forged' };

/** What a statement is worth by the ledger's keys and clock. */
export function verifyStatement({ key, statement, signature }: SignedStatement, ledger: LedgerKeys): Verdict {
  const publicKey = ledger.keys.get(key);
  if (!publicKey) return { kind: 'unknown key' };
  if (!verify(null, statement, publicKey, signature)) return { kind: 'forged' };
  const { principal, audience, issuedAt, expiresAt } = fromBinary(PrincipalStatementSchema, statement);
  if (!principal || !issuedAt || !expiresAt || audience !== AUDIENCE) return { kind: 'forged' };
  const now = ledger.now();
  if (now < timestampMs(issuedAt) - TOLERANCE_MS || now > timestampMs(expiresAt) + TOLERANCE_MS)
    return { kind: 'out of time' };
  return { kind: 'believed', principal };
}
