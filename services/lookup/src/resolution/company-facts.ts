import type { CountryName } from '@ces/proto/catalog';
import { type LegalName, legalName, nameKey } from './legal-name.ts';
import { isSharedHost } from './shared-host.ts';
import type { ResolutionVocabulary } from './vocabulary.ts';

export interface RegistryNumber {
  readonly scheme: string;
  readonly value: string;
}

/** What is said about a company, or about a group of companies that are one. */
export interface CompanyFacts {
  readonly names: readonly FactName[];
  readonly identifiers: readonly RegistryNumber[];
  /** Without hosts that many share. */
  readonly hostnames: ReadonlySet<string>;
}

export interface FactName extends LegalName {
  readonly country: CountryName;
  /** Empty for a name that several companies of the country bear. */
  readonly key: string;
}

/** What a record or a row of the record says about a company. */
export interface NamedFacts {
  readonly name: string;
  readonly country: CountryName;
  readonly identifiers: readonly RegistryNumber[];
  readonly hostnames: Iterable<string>;
}

export function factsOf(vocabulary: ResolutionVocabulary, said: NamedFacts): CompanyFacts {
  const name = legalName(vocabulary, said.name);
  return {
    names: [{ ...name, country: said.country, key: nameKey(vocabulary, name) }],
    identifiers: said.identifiers,
    hostnames: new Set([...said.hostnames].filter((hostname) => !isSharedHost(vocabulary, hostname))),
  };
}

export function joinFacts(one: CompanyFacts, other: CompanyFacts): CompanyFacts {
  return {
    names: [...one.names, ...other.names],
    identifiers: [...one.identifiers, ...other.identifiers],
    hostnames: new Set([...one.hostnames, ...other.hostnames]),
  };
}
