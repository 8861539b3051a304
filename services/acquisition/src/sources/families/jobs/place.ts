import type { CountryName } from '@ces/proto/catalog';
import { refuse } from '../../../connector/refuse.ts';
import { requireCountry } from '../../../extract/places/places.ts';
import { countryOfPlace } from '../../../extract/places/read-place.ts';

export interface WorkPlace {
  readonly field: string;
  readonly place: string | undefined;
  readonly country?: string | undefined;
  readonly remote: boolean;
  readonly employer: CountryName | undefined;
}

const MAX_PLACE = 200;

/** Remote work without a place is in the employer's country. Refuses other countries. */
export function countryOfWork({ field, place, country, remote, employer }: WorkPlace): CountryName {
  if (country !== undefined) return requireCountry('country', country);
  const named = countryOfPlace(place);
  if (named) return named;
  const somewhere = /^\W*(?:fully |100% )?remote\W*(?:(?:only|work|position)\W*)?$/i.test(
    place?.slice(0, MAX_PLACE) ?? '',
  );
  if (employer && (somewhere || (remote && place === undefined))) return employer;
  return refuse(field, 'names no place in Canada or the United States');
}
