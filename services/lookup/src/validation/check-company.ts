import { type CountryName, countryName } from '@ces/proto/catalog';
import type {
  CompanyRecord,
  RegistryIdentifier as RegistryIdentifierMessage,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { normaliseHostname } from '@ces/proto/hostname';
import type { RegistryIdentifier } from '../resolution/company-facts.ts';
import { checkShownText, checkText } from './check-values.ts';
import { type Checked, check, refuse } from './checked.ts';

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
const SCHEMES: ReadonlySet<string> = new Set(['cik', 'lei', 'uei', 'bn']);

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

function checkIdentifiers(identifiers: readonly RegistryIdentifierMessage[]): CheckedCompany['identifiers'] {
  if (identifiers.length > MAX_IDENTIFIERS) refuse(`more than ${MAX_IDENTIFIERS} identifiers`);
  const distinct = new Map<string, RegistryIdentifier>();
  for (const { scheme, value } of identifiers) {
    if (!SCHEMES.has(scheme)) refuse('an identifier scheme is not cik, lei, uei or bn');
    if (!/^[A-Za-z0-9]{1,64}$/.test(value)) refuse('an identifier has other characters than letters and digits');
    const normal = normalIdentifier({ scheme, value });
    distinct.set(`${scheme} ${normal.value}`, normal);
  }
  return [...distinct.values()];
}

/** As it is compared: without case, the zeros that pad a CIK, and the program account behind a business number. */
export function normalIdentifier({ scheme, value }: RegistryIdentifier): RegistryIdentifier {
  return { scheme, value: normalNumber(scheme, value.toUpperCase()) };
}

function normalNumber(scheme: string, value: string): string {
  if (scheme === 'cik') return value.replace(/^0+(?=\d)/, '');
  return scheme === 'bn' ? value.replace(/^(\d{9})[A-Z]{2}\d{4}$/, '$1') : value;
}
