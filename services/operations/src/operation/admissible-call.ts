import type { Failure } from '@ces/chassis/rpc/failure';
import type { Input } from '../input/form.ts';
import type { Admission } from '../ledger/admission.ts';

/**
 * The largest call that would be admitted now, in its own parameters (gateway/docs/contract.md,
 * Allowance); none for a later page.
 */
export function withAdmissibleCall(
  input: Input,
  { failure, admissibleUnits }: Pick<Extract<Admission, { kind: 'refused' }>, 'failure' | 'admissibleUnits'>,
): Failure {
  const smaller = admissibleUnits > 0 ? smallerCall(input, admissibleUnits) : undefined;
  return smaller === undefined
    ? failure
    : { ...failure, message: `${failure.message} ${smaller} would be admitted now.` };
}

function smallerCall(input: Input, units: number): string | undefined {
  switch (input.action) {
    case 'company_search':
    case 'observation_search':
      return input.form.cursor === undefined ? `A \`limit\` of at most ${units}` : undefined;
    case 'company_lookup':
      return `At most ${counted(units, 'ids' in input.form ? 'id' : 'domain')}`;
    case 'observation_lookup':
      return `At most ${counted(units, 'domain')}`;
    case 'diagnostic':
      return undefined;
  }
}

function counted(units: number, noun: string): string {
  return units === 1 ? `one ${noun}` : `${units} ${noun}s`;
}
