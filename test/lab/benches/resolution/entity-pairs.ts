import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { NamedFacts } from '@ces/lookup/resolution/company-facts';
import type { CountryName } from '@ces/proto/catalog';
import { parse } from 'csv-parse/sync';

/** One company as two sources write it. */
export interface EntityPair {
  readonly file: string;
  /** Its CIK without zeros; undefined where the file has none. */
  readonly cik: string | undefined;
  readonly one: NamedFacts;
  readonly other: NamedFacts;
}

type Row = Readonly<Record<string, string>>;

/** Companies known by the numbers of several registers, from the folder of a data set. */
export async function readEntityPairs(data: string): Promise<EntityPair[]> {
  const rows = async (file: string) =>
    parse(await readFile(path.join(data, 'fixtures/entity_pairs', file), 'utf8'), { columns: true }) as Row[];
  return [
    ...(await rows('lei_cik_ein_isin.csv')).map(listedPair),
    ...(await rows('lei_registry_number.csv')).map(registeredPair),
    ...(await rows('cik_renamed.csv')).map(renamedPair),
  ];
}

/** An investor's list with LEI and ISIN, beside a register of filers that has the LEI too. */
function listedPair(row: Row): EntityPair {
  const { lei = '', cik = '', ein = '', isin = '' } = row;
  const names = (row.names_in_itr_sample ?? '').split(' | ');
  const country = isin.startsWith('CA') ? 'CA' : 'US';
  return {
    file: 'lei_cik_ein_isin',
    cik: withoutZeros(cik),
    one: facts(names[0] ?? '', country, { lei, isin }),
    other: facts(row.name_in_edgar ?? '', country, { cik, ein, lei }),
  };
}

/** The record of an LEI, beside the register that gave the entity its number, under the name it had there before if there was one. */
function registeredPair(row: Row): EntityPair {
  const [before = row.legal_name ?? ''] = (row.other_names ?? '').split('; ').filter(Boolean);
  const register = `${row.registration_authority}:${row.registered_as}`;
  const country = row.legal_country ?? '';
  return {
    file: 'lei_registry_number',
    cik: undefined,
    one: facts(row.legal_name ?? '', country, {
      lei: row.lei ?? '',
      register,
      opencorporates: row.opencorporates ?? '',
    }),
    other: facts(before, country, { register }),
  };
}

/** A filer under its name of today with the one before, beside a record that still has the old name. */
function renamedPair(row: Row): EntityPair {
  const { cik = '', ein = '', name_before: before = '', name_after: after = '' } = row;
  const formerNames = [{ name: before, since: undefined, until: undefined }];
  return {
    file: 'cik_renamed',
    cik: withoutZeros(cik),
    one: { ...facts(after, 'US', { cik, ein }), formerNames },
    other: facts(before, 'US', { cik }),
  };
}

function facts(name: string, country: string, numbers: Readonly<Record<string, string>>): NamedFacts {
  const identifiers = Object.entries(numbers).flatMap(([scheme, value]) => (value === '' ? [] : { scheme, value }));
  return { name, country: country as CountryName, identifiers, hostnames: [] };
}

function withoutZeros(cik: string): string {
  return cik.replace(/^0+/, '');
}
