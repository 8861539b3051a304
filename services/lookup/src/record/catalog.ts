import { Country, DemandClass, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';

export type KindWord = Lowercase<Exclude<keyof typeof Kind, 'UNSPECIFIED'>>;
export type CountryWord = Exclude<keyof typeof Country, 'UNSPECIFIED'>;
export type DemandClassWord = Lowercase<Exclude<keyof typeof DemandClass, 'UNSPECIFIED'>>;

/** The word the record stores for a kind; undefined for a number that names none. */
export function kindWord(value: number): KindWord | undefined {
  return nameOf(Kind, value)?.toLowerCase() as KindWord | undefined;
}

export function countryWord(value: number): CountryWord | undefined {
  return nameOf(Country, value) as CountryWord | undefined;
}

/** decisions.md, Evidence: the class follows from the kind. */
export function demandClassOf(kind: KindWord): DemandClassWord {
  if (kind === 'procurement_request') return 'explicit_request';
  return kind === 'company_profile' ? 'structural' : 'proxy';
}

export function kindValue(word: KindWord): Kind {
  return Kind[word.toUpperCase() as Uppercase<KindWord>];
}

export function countryValue(word: CountryWord): Country {
  return Country[word];
}

export function demandClassValue(word: DemandClassWord): DemandClass {
  return DemandClass[word.toUpperCase() as Uppercase<DemandClassWord>];
}

function nameOf(values: Readonly<Record<string, number>>, value: number): string | undefined {
  if (value === 0) return undefined;
  return Object.keys(values).find((name) => values[name] === value);
}
