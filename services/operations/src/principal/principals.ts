import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Principal, SignedStatement } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { metrics } from '@opentelemetry/api';
import type { LedgerKeyCache } from './ledger-keys.ts';
import { StatementVerifier, type Verdict } from './verify.ts';

/** Judges the principals that the gateway names (decision 0032). */
export interface Principals {
  verify(named: Principal): Promise<Principal>;
}

const FORGED = 'The ledger has not signed this principal for operations.';
const UNSIGNED = 'A principal counts with the signature of the ledger alone.';
const UNCHECKED = 'The caller could not be checked now; try again with the same request key.';

export function createPrincipals(keys: LedgerKeyCache, logger: Logger): Principals {
  const checks = metrics.getMeter('ces').createCounter('ces.principal.checks', {
    description: 'Principals that the gateway named, by what they were worth.',
  });
  const verifier = new StatementVerifier();
  const refuse = (kind: string, code: FailureCode, sentence: string): Error => {
    checks.add(1, { outcome: kind });
    logger.warn({ outcome: kind }, 'a principal was refused');
    return fail(code, sentence);
  };
  return {
    async verify(named) {
      const verdict = await judge(verifier, keys, named.signed);
      if (verdict.kind === 'verified') {
        checks.add(1, { outcome: 'signed' });
        return verdict.principal;
      }
      if (verdict.kind === 'forged') throw refuse(verdict.kind, FailureCode.CALLER_NOT_ALLOWED, FORGED);
      if (verdict.kind === 'unsigned') throw refuse(verdict.kind, FailureCode.CALLER_NOT_ALLOWED, UNSIGNED);
      throw refuse(verdict.kind, FailureCode.SERVICE_UNAVAILABLE, UNCHECKED);
    },
  };
}

async function judge(
  verifier: StatementVerifier,
  keys: LedgerKeyCache,
  signed: SignedStatement | undefined,
): Promise<Verdict | { readonly kind: 'unsigned' }> {
  if (!signed) return { kind: 'unsigned' };
  const verdict = verifier.verify(signed, await keys.get());
  if (verdict.kind === 'verified' || verdict.kind === 'forged') return verdict;
  return verifier.verify(signed, await keys.renew());
}
