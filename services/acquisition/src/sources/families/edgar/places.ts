import type { CountryName } from '@ces/proto/catalog';
import { refuse } from '../../../connector/refuse.ts';
import { countryOfRegion, regionName } from '../../../extract/places/places.ts';

const PROVINCES: Readonly<Record<string, string>> = {
  A0: 'Alberta',
  A1: 'British Columbia',
  A2: 'Manitoba',
  A3: 'New Brunswick',
  A4: 'Newfoundland and Labrador',
  A5: 'Nova Scotia',
  A6: 'Ontario',
  A7: 'Prince Edward Island',
  A8: 'Quebec',
  A9: 'Saskatchewan',
  B0: 'Yukon',
  Z4: 'Canada',
};

/** Refuses any other code. `NT` is no Canadian code in EDGAR. */
export function countryOfCode(field: string, code: string | undefined): CountryName {
  const upper = code?.trim().toUpperCase();
  if (!upper) return refuse(field, 'is missing');
  if (Object.hasOwn(PROVINCES, upper)) return 'CA';
  if (upper === 'X1') return 'US';
  if (/^[A-Z]{2}$/.test(upper) && countryOfRegion(upper) === 'US') return 'US';
  return refuse(field, 'is in neither Canada nor the United States');
}

export function placeOfCode(code: string | undefined): string | undefined {
  const upper = code?.trim().toUpperCase() ?? '';
  return PROVINCES[upper] ?? (countryOfRegion(upper) === 'US' ? regionName(upper) : undefined);
}
