import type { CountryName } from '@ces/proto/catalog';
import { keyOfName, type LegalName, legalName, nameKey } from './legal-name.ts';
import type { ResolutionVocabulary } from './vocabulary.ts';

export interface RegistryIdentifier {
  readonly scheme: string;
  readonly value: string;
}

export interface FormerName {
  readonly name: string;
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

export interface CompanyFacts {
  readonly names: readonly FactName[];
  readonly formerNames: readonly FactFormerName[];
  readonly identifiers: readonly RegistryIdentifier[];
  readonly hostnames: ReadonlySet<string>;
}

export interface FactName extends LegalName {
  readonly country: CountryName;
  /** Empty if several companies of the country have the name. */
  readonly nameKey: string;
  /** Date of an event under this name; undefined without a date. */
  readonly usedAt: Date | undefined;
}

export interface FactFormerName extends Omit<FactName, 'usedAt'> {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

export interface NamedFacts {
  readonly name: string;
  readonly country: CountryName;
  readonly identifiers: readonly RegistryIdentifier[];
  readonly hostnames: Iterable<string>;
  readonly formerNames?: readonly FormerName[];
  readonly usedAt?: Date | undefined;
}

export function factsOf(vocabulary: ResolutionVocabulary, named: NamedFacts): CompanyFacts {
  const { country, usedAt } = named;
  const keyed = (text: string) => {
    const name = legalName(vocabulary, text);
    return { ...name, country, nameKey: nameKey(vocabulary, name) };
  };
  return {
    names: [{ ...keyed(named.name), usedAt }],
    formerNames: (named.formerNames ?? []).map(({ name, since, until }) => ({ ...keyed(name), since, until })),
    identifiers: named.identifiers,
    hostnames: new Set([...named.hostnames].filter((hostname) => !isSharedHost(vocabulary, hostname))),
  };
}

export interface KeyedFormerName extends FormerName {
  readonly nameKey: string;
}

export function keyedFormerNames(
  vocabulary: ResolutionVocabulary,
  formerNames: readonly FormerName[],
): KeyedFormerName[] {
  return formerNames.map((former) => ({ ...former, nameKey: keyOfName(vocabulary, former.name) }));
}

export function joinFacts(one: CompanyFacts, other: CompanyFacts): CompanyFacts {
  return {
    names: [...one.names, ...other.names],
    formerNames: [...one.formerNames, ...other.formerNames],
    identifiers: [...one.identifiers, ...other.identifiers],
    hostnames: new Set([...one.hostnames, ...other.hostnames]),
  };
}

function isSharedHost({ sharedHosts }: ResolutionVocabulary, hostname: string): boolean {
  const labels = hostname.split('.');
  return labels.length < 2 || labels.some((_, index) => sharedHosts.has(labels.slice(index).join('.')));
}
