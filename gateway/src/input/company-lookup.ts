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

/** Throws InvalidInput. */
export function readCompanyLookupQuery(url: string): CompanyLookupInput {
  const query = QueryParameters.parse(url, ['ids[]', 'domains[]']);
  const ids = query.all('ids[]');
  const domains = query.all('domains[]');
  if (ids.length > 0 === domains.length > 0) throw new InvalidInput('Give either `ids[]` or `domains[]`.');
  if (ids.length + domains.length > MAX_INPUTS)
    throw new InvalidInput(`A look-up takes at most ${MAX_INPUTS} ids or domains.`);
  return { ids: ids.map(parseId), domains };
}

const check = compileShapeCheck(
  closed('CompanyLookupArguments', { ids: Type.Optional(inputs.ids), domains: Type.Optional(inputs.domains) }),
);

/** Throws InvalidInput. */
export function readCompanyLookupArguments(value: unknown): CompanyLookupInput {
  const { ids = [], domains = [] } = check(value);
  if (ids.length > 0 === domains.length > 0) throw new InvalidInput('Give either `ids` or `domains`.');
  return { ids: ids.map(BigInt), domains };
}
