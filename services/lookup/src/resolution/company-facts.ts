import type { CountryName } from '@ces/proto/catalog';
import { type LegalName, legalName, nameKey } from './legal-name.ts';
import type { ResolutionVocabulary } from './vocabulary.ts';

export interface RegistryIdentifier {
  readonly scheme: string;
  readonly value: string;
}

/** The facts about a company, or about a group of companies that are one. */
export interface CompanyFacts {
  readonly names: readonly FactName[];
  readonly identifiers: readonly RegistryIdentifier[];
  /** Without hosts that many share. */
  readonly hostnames: ReadonlySet<string>;
}

export interface FactName extends LegalName {
  readonly country: CountryName;
  /** Empty for a name that several companies of the country bear. */
  readonly nameKey: string;
}

/** What a source or a row of the record holds of a company. */
export interface NamedFacts {
  readonly name: string;
  readonly country: CountryName;
  readonly identifiers: readonly RegistryIdentifier[];
  readonly hostnames: Iterable<string>;
}

export function factsOf(vocabulary: ResolutionVocabulary, named: NamedFacts): CompanyFacts {
  const name = legalName(vocabulary, named.name);
  return {
    names: [{ ...name, country: named.country, nameKey: nameKey(vocabulary, name) }],
    identifiers: named.identifiers,
    hostnames: new Set([...named.hostnames].filter((hostname) => !isSharedHost(vocabulary, hostname))),
  };
}

export function joinFacts(one: CompanyFacts, other: CompanyFacts): CompanyFacts {
  return {
    names: [...one.names, ...other.names],
    identifiers: [...one.identifiers, ...other.identifiers],
    hostnames: new Set([...one.hostnames, ...other.hostnames]),
  };
}

/** Whether a hostname is shared by many companies, itself or a host above it: it never identifies a company. */
function isSharedHost({ sharedHosts }: ResolutionVocabulary, hostname: string): boolean {
  const labels = hostname.split('.');
  return labels.length < 2 || labels.some((_, index) => sharedHosts.has(labels.slice(index).join('.')));
}
