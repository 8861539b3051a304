import type { CountryName } from '@ces/proto/catalog';
import type { MappedCompany } from '../../../connector/mapped.ts';
import type { Members } from '../../../extract/formats/members.ts';
import { plainLine } from '../../../extract/formats/plain.ts';

/** Prefers the operator's name and website. `key` is the board's own key of the employer. */
export function employerCompany(
  posting: Members,
  { key, name, country }: { readonly key: string | undefined; readonly name: string; readonly country: CountryName },
): MappedCompany {
  const hostname = posting.text('employer.hostname');
  return {
    ...(key && { key }),
    name: plainLine(posting.text('employer.name') ?? name),
    country,
    hostnames: hostname ? [hostname] : [],
    identifiers: [],
  };
}
