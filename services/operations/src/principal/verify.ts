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

/** Statements that are remembered at most, the newest: the gateway shows one for as long as it knows a credential. */
const REMEMBERED = 2_000;

/** What a good signature says. */
interface Signed {
  readonly publicKey: KeyObject;
  readonly statement: Uint8Array;
  readonly says: PrincipalStatement;
}

/** Verifies statements. A signature costs more to check than all else that is done with a call, and is checked once. */
export class StatementVerifier {
  readonly #signed = new Map<string, Signed>();

  /** What a statement is worth by the ledger's keys and clock. */
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
    return { kind: 'believed', principal };
  }

  /** Undefined: the key did not sign it. */
  #read(publicKey: KeyObject, statement: Uint8Array, signature: Uint8Array): PrincipalStatement | undefined {
    const name = Buffer.from(signature).toString('latin1');
    const known = this.#signed.get(name);
    if (known?.publicKey === publicKey && Buffer.compare(known.statement, statement) === 0) return known.says;
    if (!verify(null, statement, publicKey, signature)) return undefined;
    const says = fromBinary(PrincipalStatementSchema, statement);
    this.#signed.set(name, { publicKey, statement: Uint8Array.from(statement), says });
    const [oldest] = this.#signed.keys();
    if (this.#signed.size > REMEMBERED && oldest !== undefined) this.#signed.delete(oldest);
    return says;
  }
}
