import type { CountryName } from '@ces/proto/catalog';
import { countryNamed } from '../extract/places.ts';
import { countryOfPlace } from '../extract/read-place.ts';
import { refuse } from '../sources/refuse.ts';

export interface WorkPlace {
  /** The source's name of the field, for refusals. */
  readonly field: string;
  readonly place: string | undefined;
  /** A country code of its own beside the place. */
  readonly country?: string | undefined;
  readonly remote: boolean;
  /** The employer's country, when it is known. */
  readonly employer: CountryName | undefined;
}

const MAX_PLACE = 200;

/** The country of the place of work; remote work that names none is where the employer is. Otherwise refused. */
export function countryOfWork({ field, place, country, remote, employer }: WorkPlace): CountryName {
  if (country !== undefined)
    return countryNamed(country) ?? refuse('country', 'is neither Canada nor the United States');
  const named = countryOfPlace(place);
  if (named) return named;
  const somewhere = /^\W*(?:fully |100% )?remote\W*(?:(?:only|work|position)\W*)?$/i.test(
    place?.slice(0, MAX_PLACE) ?? '',
  );
  if (employer && (somewhere || (remote && place === undefined))) return employer;
  return refuse(field, 'names no place in Canada or the United States');
}
