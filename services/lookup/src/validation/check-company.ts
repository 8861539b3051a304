import { type CountryName, countryName } from '@ces/proto/catalog';
import type {
  CompanyRecord,
  FormerName as FormerNameMessage,
  RegistryIdentifier as RegistryIdentifierMessage,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { normaliseHostname } from '@ces/proto/hostname';
import { IDENTIFIER_SCHEMES, isIdentifierScheme, normalIdentifier } from '@ces/proto/registry-identifier';
import { type Counter, metrics } from '@opentelemetry/api';
import type { FormerName, RegistryIdentifier } from '../matching/company-facts.ts';
import { checkOptionalInstant, checkShownText, checkText } from './check-values.ts';
import { type Checked, check, refuse } from './checked.ts';

export interface CheckedCompany {
  readonly key: string;
  readonly name: string;
  readonly country: CountryName;
  readonly hostnames: readonly string[];
  readonly identifiers: readonly RegistryIdentifier[];
  readonly formerNames: readonly FormerName[];
}

const MAX_FORMER_NAMES = 50;
const MAX_HOSTNAMES = 100;
const MAX_IDENTIFIERS = 50;
const MAX_IDENTIFIER_LENGTH = 64;

export function checkCompany(record: CompanyRecord): Checked<CheckedCompany> {
  return check(() => readCompany(record));
}

export function readCompany(record: CompanyRecord): CheckedCompany {
  const name = checkShownText('name', record.name, 500);
  return {
    key: checkText('key', record.key, 512),
    name,
    country: countryName(record.country) ?? refuse('country is neither CA nor US'),
    hostnames: checkHostnames(record.hostnames),
    identifiers: checkIdentifiers(record.identifiers),
    formerNames: checkFormerNames(record.formerNames, name),
  };
}

function checkFormerNames(formerNames: readonly FormerNameMessage[], name: string): FormerName[] {
  if (formerNames.length > MAX_FORMER_NAMES) refuse(`more than ${MAX_FORMER_NAMES} former names`);
  const distinct = formerNames.map((former): [string, FormerName] => {
    const shown = checkShownText('a former name', former.name, 500);
    const since = checkOptionalInstant('since', former.since);
    const until = checkOptionalInstant('until', former.until);
    if (since && until && since > until) refuse('a former name ends before it begins');
    return [shown, { name: shown, since, until }];
  });
  return [...new Map(distinct).values()].filter((former) => former.name !== name);
}

export function checkHostnames(hostnames: readonly string[], max = MAX_HOSTNAMES): string[] {
  if (hostnames.length > max) refuse(`more than ${max} hostnames`);
  return [...new Set(hostnames.map(recordedHostname))];
}

function recordedHostname(text: string): string {
  const normal = normaliseHostname(text);
  const hostname = normal && normaliseHostname(normal.replace(/^www\.(?=.*\.)/, ''));
  return hostname ?? refuse('a hostname is none');
}

/** A number that fails its form does not identify a company. */
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

let dropped: Counter | undefined;

/** Sources write anything into these fields, so a number may fail its scheme. */
function countDroppedIdentifier(scheme: string): void {
  dropped ??= metrics.getMeter('ces').createCounter('ces.record.identifiers.dropped', {
    description: 'Numbers of companies that failed the form of their scheme and were not recorded.',
  });
  dropped.add(1, { scheme });
}
