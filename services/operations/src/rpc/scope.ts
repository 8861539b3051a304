import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Input } from '../input/form.ts';

/** What a credential may be allowed to do. */
type Scope = 'search' | 'lookup' | 'usage';

/** What it needs to submit, and suffices to poll; undefined: any may (decision 0033). */
const SCOPES: Readonly<Record<Input['action'], Scope | undefined>> = {
  company_search: 'search',
  observation_search: 'search',
  company_lookup: 'lookup',
  observation_lookup: 'lookup',
  diagnostic: undefined,
};

/** For what every credential may ask, or is judged by what it asks for. */
export function anyScope(): void {}

/** Throws INVALID_API_KEY when the credential has neither the scope of the action nor one of the others that do as well. */
export function requireScope(principal: Principal, action: Input['action'], ...others: readonly Scope[]): void {
  const needed = SCOPES[action];
  if (needed !== undefined) requireOneOf(principal, [needed, ...others]);
}

/** The same for what tells of all operations of an account. */
export function requireUsageScope(principal: Principal): void {
  requireOneOf(principal, ['usage']);
}

function requireOneOf({ scopes }: Principal, sufficient: readonly Scope[]): void {
  if (scopes.length === 0) return;
  if (sufficient.some((scope) => scopes.includes(scope))) return;
  const names = sufficient.map((scope) => `\`${scope}\``).join(' or ');
  throw fail(
    FailureCode.INVALID_API_KEY,
    `This credential lacks the scope ${names} that the call needs: use one that has it.`,
  );
}
