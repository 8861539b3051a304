import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Input } from '../input/form.ts';

type Scope = 'search' | 'lookup' | 'usage';

/** Scope of an action, which also suffices to poll; undefined: any may (decision 0033). */
const SCOPES: Readonly<Record<Input['action'], Scope | undefined>> = {
  company_search: 'search',
  observation_search: 'search',
  company_lookup: 'lookup',
  observation_lookup: 'lookup',
  diagnostic: undefined,
};

export function anyScope(): void {}

/** Throws INVALID_API_KEY without the action's scope or one of `others`. */
export function requireScope(principal: Principal, action: Input['action'], ...others: readonly Scope[]): void {
  const needed = SCOPES[action];
  if (needed !== undefined) requireOneOf(principal, [needed, ...others]);
}

export function requireUsageScope(principal: Principal): void {
  requireOneOf(principal, ['usage']);
}

function requireOneOf({ scopes }: Principal, sufficient: readonly Scope[]): void {
  if (sufficient.some((scope) => scopes.includes(scope))) return;
  const names = sufficient.map((scope) => `\`${scope}\``).join(' or ');
  throw fail(
    FailureCode.INVALID_API_KEY,
    `This credential lacks the scope ${names} that the call needs: use one that has it.`,
  );
}
