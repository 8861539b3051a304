import Type from 'typebox';
import { InvalidInput } from '../errors/public-error.ts';
import { CompanyLookupInput as inputs, MAX_INPUTS } from '../schema/company-lookup.ts';
import { closed } from '../schema/primitives.ts';
import { parseId } from './path-id.ts';
import { QueryParameters } from './query.ts';
import { compileShapeCheck } from './shape.ts';

export interface CompanyLookupInput {
  readonly ids: bigint[];
  readonly domains: string[];
}

export function readCompanyLookupQuery(url: string): CompanyLookupInput {
  const query = QueryParameters.parse(url, ['ids[]', 'domains[]']);
  const ids = query.all('ids[]');
  const domains = query.all('domains[]');
  checkOneKind(ids, domains, '[]');
  if (ids.length + domains.length > MAX_INPUTS)
    throw new InvalidInput(`\`${ids.length > 0 ? 'ids' : 'domains'}[]\` has too many items: at most ${MAX_INPUTS}.`);
  return { ids: ids.map((id) => parseId(id, 'ids[]')), domains };
}

const check = compileShapeCheck(
  closed('CompanyLookupArguments', { ids: Type.Optional(inputs.ids), domains: Type.Optional(inputs.domains) }),
);

export function readCompanyLookupArguments(value: unknown): CompanyLookupInput {
  const { ids = [], domains = [] } = check(value);
  checkOneKind(ids, domains);
  return { ids: ids.map(BigInt), domains };
}

/** `ending`: what a surface appends to names of lists. */
function checkOneKind(ids: readonly unknown[], domains: readonly unknown[], ending = ''): void {
  const names = [`\`ids${ending}\``, `\`domains${ending}\``] as const;
  if (ids.length > 0 && domains.length > 0)
    throw new InvalidInput(`${names.join(' and ')} exclude each other: send one of them.`);
  if (ids.length + domains.length === 0) throw new InvalidInput(`${names.join(' or ')} is required.`);
}
