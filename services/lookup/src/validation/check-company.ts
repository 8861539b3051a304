import { type CountryName, countryName } from '@ces/proto/catalog';
import type {
  CompanyRecord,
  RegistryIdentifier as RegistryIdentifierMessage,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { normaliseHostname } from '@ces/proto/hostname';
import { IDENTIFIER_SCHEMES, isIdentifierScheme, normalIdentifier } from '@ces/proto/registry-identifier';
import type { RegistryIdentifier } from '../resolution/company-facts.ts';
import { checkShownText, checkText } from './check-values.ts';
import { type Checked, check, refuse } from './checked.ts';
import { countDroppedIdentifier } from './dropped-identifiers.ts';

export interface CheckedCompany {
  readonly key: string;
  readonly name: string;
  readonly country: CountryName;
  /** Distinct, normalised, without a leading `www.`. */
  readonly hostnames: readonly string[];
  readonly identifiers: readonly RegistryIdentifier[];
}

const MAX_HOSTNAMES = 100;
const MAX_IDENTIFIERS = 50;
const MAX_IDENTIFIER_LENGTH = 64;

/** One company of a batch, or why it is refused. */
export function checkCompany(record: CompanyRecord): Checked<CheckedCompany> {
  return check(() => readCompany(record));
}

/** The company a record names; throws a refusal inside a check. */
export function readCompany(record: CompanyRecord): CheckedCompany {
  return {
    key: checkText('key', record.key, 512),
    name: checkShownText('name', record.name, 500),
    country: countryName(record.country) ?? refuse('country is neither CA nor US'),
    hostnames: checkHostnames(record.hostnames),
    identifiers: checkIdentifiers(record.identifiers),
  };
}

/** Distinct hostnames as they are recorded, or a refusal. */
export function checkHostnames(hostnames: readonly string[], max = MAX_HOSTNAMES): string[] {
  if (hostnames.length > max) refuse(`more than ${max} hostnames`);
  return [...new Set(hostnames.map(recordedHostname))];
}

function recordedHostname(text: string): string {
  const normal = normaliseHostname(text);
  const hostname = normal && normaliseHostname(normal.replace(/^www\.(?=.*\.)/, ''));
  return hostname ?? refuse('a hostname is none');
}

/** Distinct numbers as they are compared. One that fails its form says nothing about who the company is: it is dropped and counted. */
function checkIdentifiers(identifiers: readonly RegistryIdentifierMessage[]): CheckedCompany['identifiers'] {
  if (identifiers.length > MAX_IDENTIFIERS) refuse(`more than ${MAX_IDENTIFIERS} identifiers`);
  const distinct = new Map<string, RegistryIdentifier>();
  for (const { scheme, value } of identifiers) {
    if (!isIdentifierScheme(scheme)) refuse(`an identifier scheme is not ${IDENTIFIER_SCHEMES.join(', ')}`);
    if (value.length > MAX_IDENTIFIER_LENGTH)
      refuse(`an identifier is longer than ${MAX_IDENTIFIER_LENGTH} characters`);
    const normal = normalIdentifier(scheme, value);
    if (normal === undefined) countDroppedIdentifier(scheme);
    else distinct.set(`${scheme} ${normal}`, { scheme, value: normal });
  }
  return [...distinct.values()];
}
