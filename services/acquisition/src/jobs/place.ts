import type { CountryName } from '@ces/proto/catalog';
import { normalText } from '@ces/proto/normal-text';
import { countryNamed, countryOfPlace } from '../extract/places.ts';
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

/** Cities whose country has the code of a state: `Berlin, DE` is not in Delaware, `Bengaluru, IN` not in Indiana. */
const ABROAD = new Set(
  `ahmedabad baku bangalore bengaluru berlin bogota buenos-aires cali casablanca chennai chisinau cologne cordoba
  delhi dusseldorf frankfurt gurgaon gurugram haifa hamburg herzliya hyderabad jakarta jerusalem koln kolkata leipzig
  medellin mumbai munchen munich new-delhi noida podgorica pune rabat ramat-gan stuttgart tel-aviv tirana
  valletta`.split(/\s+/),
);
const MAX_PLACE = 200;

/** The country of the place of work; remote work that names none is where the employer is. Otherwise refused. */
export function countryOfWork({ field, place, country, remote, employer }: WorkPlace): CountryName {
  if (country !== undefined)
    return countryNamed(country) ?? refuse('country', 'is neither Canada nor the United States');
  const named = isAbroad(place) ? undefined : countryOfPlace(place);
  if (named) return named;
  const somewhere = /^\W*(?:fully |100% )?remote\W*(?:(?:only|work|position)\W*)?$/i.test(
    place?.slice(0, MAX_PLACE) ?? '',
  );
  if (employer && (somewhere || (remote && place === undefined))) return employer;
  return refuse(field, 'names no place in Canada or the United States');
}

/** A city abroad and a code of two letters, which then is its country's. */
function isAbroad(place = ''): boolean {
  const city = /^([^,]+),.*\b[A-Z]{2}$/.exec(place.slice(0, MAX_PLACE).trim())?.[1] ?? '';
  const plain = normalText(city, 'NFD').replace(/\p{M}/gu, '').trim().toLowerCase().replace(/\s+/g, '-');
  return ABROAD.has(plain);
}
