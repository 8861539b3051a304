import { countryNamed, countryOfPlace } from '../extract/places.ts';
import { refuse } from '../sources/refuse.ts';
import type { Country } from '../sources/words.ts';

export interface WorkPlace {
  /** The source's name of the field, for refusals. */
  readonly field: string;
  readonly place: string | undefined;
  /** A country code of its own beside the place. */
  readonly country?: string | undefined;
  readonly remote: boolean;
  /** The employer's country, when it is known. */
  readonly employer: Country | undefined;
}

/** The country of the place of work; remote work that names none is where the employer is. Otherwise refused. */
export function countryOfWork({ field, place, country, remote, employer }: WorkPlace): Country {
  if (country !== undefined)
    return countryNamed(country) ?? refuse('country', 'is neither Canada nor the United States');
  const named = countryOfPlace(place);
  if (named) return named;
  const somewhere = /^\W*(?:fully |100% )?remote\W*(?:only|work|position)?\W*$/i.test(place?.slice(0, 200) ?? '');
  if (employer && (somewhere || (remote && place === undefined))) return employer;
  return refuse(field, 'names no place in Canada or the United States');
}
