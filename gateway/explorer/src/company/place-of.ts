import type { SupportingObservation } from '../session/client.ts';
import { COUNTRIES, type Country } from '../words/countries.ts';
import { findPlaces, type Region } from '../words/regions.ts';

export interface ShownPlace {
  readonly country: Country;
  readonly region?: Region;
  readonly city?: string;
}

/**
 * Reads the fact, then the excerpts, within the reported country. The company's name says nothing
 * about the place.
 */
export function placeOf(observation: SupportingObservation, companyName: string): ShownPlace {
  const { country, observed_fact, evidence } = observation;
  for (const text of [observed_fact, ...evidence.map(({ excerpt }) => excerpt)]) {
    const place = findPlaces(text.replaceAll(companyName, '')).find(({ region }) => region.country === country);
    if (place) return { country, region: place.region, ...(place.city !== undefined && { city: place.city }) };
  }
  return { country };
}

export function placeInWords({ country, region, city }: ShownPlace): string {
  if (!region) return COUNTRIES[country];
  return city === undefined ? region.name : `${city}, ${region.name}`;
}
