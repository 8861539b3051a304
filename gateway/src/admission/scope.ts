import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { PublicError } from '../errors/public-error.ts';

export type Scope = 'search' | 'lookup' | 'usage';

/** 401 without the needed scope (decision 0033). */
export function checkScope({ scopes }: Pick<Principal, 'scopes'>, needed: Scope | undefined): void {
  if (needed === undefined || scopes.includes(needed)) return;
  throw new PublicError(
    'invalid_api_key',
    `This credential lacks the scope \`${needed}\` that the call needs: use one that has it.`,
  );
}
