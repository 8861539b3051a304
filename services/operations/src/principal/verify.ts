import { type KeyObject, verify } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import {
  type Principal,
  type PrincipalStatement,
  PrincipalStatementSchema,
  type SignedStatement,
} from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { LedgerKeys } from './ledger-keys.ts';

const AUDIENCE = 'operations';
/** Difference between the ledger's clock and our estimate: latency and clock adjustments. */
const TOLERANCE_MS = 30_000;

export type Verdict =
  | { readonly kind: 'verified'; readonly principal: Principal }
  /** Newer keys or a fresh clock may change this verdict. */
  | { readonly kind: 'unknown key' | 'out of time' }
  /** Not signed by the ledger, or signed for another audience. */
  | { readonly kind: 'forged' };

/** The gateway repeats a statement while it caches a credential. */
const MAX_CACHED = 2_000;

interface Signed {
  readonly publicKey: KeyObject;
  readonly statement: Uint8Array;
  readonly says: PrincipalStatement;
}

/** Caches good signatures: verifying one costs more than the rest of a call. */
export class StatementVerifier {
  readonly #signed = new Map<string, Signed>();

  verify({ key, statement, signature }: SignedStatement, ledger: LedgerKeys): Verdict {
    const publicKey = ledger.keys.get(key);
    if (!publicKey) return { kind: 'unknown key' };
    const says = this.#read(publicKey, statement, signature);
    if (!says) return { kind: 'forged' };
    const { principal, audience, issuedAt, expiresAt } = says;
    if (!principal || !issuedAt || !expiresAt || audience !== AUDIENCE) return { kind: 'forged' };
    const now = ledger.now();
    if (now < timestampMs(issuedAt) - TOLERANCE_MS || now > timestampMs(expiresAt) + TOLERANCE_MS)
      return { kind: 'out of time' };
    return { kind: 'verified', principal };
  }

  #read(publicKey: KeyObject, statement: Uint8Array, signature: Uint8Array): PrincipalStatement | undefined {
    const name = Buffer.from(signature).toString('latin1');
    const known = this.#signed.get(name);
    if (known?.publicKey === publicKey && Buffer.compare(known.statement, statement) === 0) return known.says;
    if (!verify(null, statement, publicKey, signature)) return undefined;
    const says = fromBinary(PrincipalStatementSchema, statement);
    this.#signed.set(name, { publicKey, statement: Uint8Array.from(statement), says });
    const [oldest] = this.#signed.keys();
    if (this.#signed.size > MAX_CACHED && oldest !== undefined) this.#signed.delete(oldest);
    return says;
  }
}
