import type { CountryName } from '@ces/proto/catalog';
import type { Members } from '../extract/members.ts';
import { plainLine } from '../extract/plain.ts';
import type { MappedCompany } from '../sources/mapped.ts';

/**
 * The employer of a posting that carries what the operator said of its board as `employer`: the operator's name, else what the board
 * calls it; a website only from the operator. `key`: the board's own key of it.
 */
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
