import type { CountryName } from '@ces/proto/catalog';
import { superlinear } from '@ces/test/support/growth.ts';
import { expect, test } from 'vitest';
import { countryOfPlace } from './read-place.ts';

test.each<[reading: CountryName | undefined, places: string]>([
  ['CA', 'Toronto, ON, CA | Vancouver, BC, CA | Montréal, QC, CA | Richmond, BC, CA | Toronto, CA | Burnaby, CA'],
  [
    'CA',
    'Toronto ON | Montréal (Québec) H2Y 1C6 | Mississauga, ON,L5N 1A8 | Halifax, Nouvelle-Écosse | Kitchener-Waterloo, ON',
  ],
  ['CA', "London, ON | St. John's, NL | Charlottetown, PE | Saskatoon, SK | Wyoming, ON | Newcastle, ON"],
  [
    'CA',
    'Simcoe County, CA | CA - Toronto | CA-ON-Toronto | CA, ON, Toronto | CAN-Quebec | Remote: Canada | Canada, Montreal, QC | Remote-Canada',
  ],
  [
    'US',
    'San Francisco, CA | Chicago, IL | Indianapolis, IN | Wilmington, DE | Atlanta, GA | Denver, CO | Nashville, TN',
  ],
  ['US', 'Lebanon, NH | Peru, IN | Mexico, MO | Holland, MI | Cuba, NY | Indiana, PA | Nevada, IA | Ontario, Oregon'],
  [
    'US',
    'Dublin, OH | Dublin, CA | Paris, TX | Rome, GA | Athens, Georgia | Vancouver, WA | Melbourne, FL | Panama City, FL',
  ],
  [
    'US',
    'Austin TX | Cicero, IL 60804 | Fremont, CA 94538 | Tarzana, CA 91356-1234 | Washington, D.C. | Remote, Georgia, US',
  ],
  [
    'US',
    'US-TX-Austin | US, CA, Santa Clara | USA - NY - New York | CA - San Francisco | United States-Arizona-Chandler',
  ],
  [
    'US',
    'USA DE - Remote | Remote in the US | Solano County, CA | Wake County, NC | Greater Orlando Area, FL | San Juan, PR',
  ],
  [undefined, 'India (IN) | Hyderabad, IN | Bengaluru, Karnataka, IN | Chennai, TN, IN | Salem, Tamil Nadu, IN'],
  [
    undefined,
    'Tbilisi, Georgia | Batumi, Georgia | Tel Aviv-Yafo, IL | Frankfurt am Main, DE | Berlin, BE, DE | Nuremberg, BY, DE',
  ],
  [
    undefined,
    'Maine, France | Amsterdam, NL | Rotterdam, NL-ZH, NL | Lima, PE | Bratislava, SK | Tunis, TN | Baku, AZ',
  ],
  [
    undefined,
    'London, England | Victoria, Australia | Perth, WA, 6000, Australia | Bulgaria, Georgia, Poland | Dund-Us, Mongolia | München, Deutschland',
  ],
  [
    undefined,
    'IN - Bangalore | Perth, WA | Milano, MI | Recife, PE | Curitiba, PR | Salem, IN | Richmond, CA | Ontario, CA',
  ],
  [undefined, 'CA | Remote, CA | Georgia | Remote - Georgia | DE'],
  [undefined, 'IN-TN-Chennai | IN, TN, Chennai | IN-GA-Goa | CO-DC-Bogota | NL-NH-Amsterdam | NL-NB-Eindhoven'],
  [undefined, 'Nouméa, NC | Christchurch, CAN, NZ | Christchurch, CAN, New Zealand'],
  [
    undefined,
    'Bogotá, D.C. | Bogota DC | Amsterdam, NH | Utrecht, UT | Guadalajara, GU | Tijuana, BC | Stockholm, AB | Eindhoven, NB | IN-TN',
  ],
  [
    undefined,
    'Vernon, CA | Sun Valley, CA | Oakville, CA | Rutherford, CA | Woodstock, CA | CA - Woodstock | CA-Ontario',
  ],
  [undefined, 'Mantova, MN | Bangalore, IN | Grand Cayman, KY | Varese, VA | CO-Florida | PE-Indiana'],
  ['US', 'NJ-New Brunswick | OK-Yukon | OH-Ontario | Little Canada, MN | IN, GA, OH | IN, TN, USA'],
  ['US', 'Research Triangle Park, NC | Tysons Corner, VA | Quantico, VA | Washington DC | Bogota, NJ'],
  [
    'CA',
    'Toronto, Ontario, CA | London, Ontario, CA | Ottawa, Ontario, CA | Mississauga, Ontario, CA | CA, Ontario, Toronto',
  ],
  [
    'CA',
    'CA-QC-Salaberry-de-Valleyfield | CA-QC-St-Jean-sur-Richelieu | CA-Toronto-ON | CA-Remote-ON | Vancouver, CA | Surrey, CA | Calgary, CA | Quebec, CA',
  ],
  [undefined, 'Remote | San Francisco | Columbia | European Economic Area | 5 Locations | '],
])('a place is read as %s: %s', (reading, places) => {
  for (const place of places.split(' | ')) expect.soft(countryOfPlace(place), place).toBe(reading);
});

test.each<[CountryName | undefined, string]>([
  ['US', 'Berlin, Germany; Austin, TX'],
  ['US', 'Munich, Germany | Boston, MA'],
  ['US', 'Singapore / London, OH'],
  ['CA', 'Paris or Montréal, QC'],
  ['CA', 'Québec ou Montréal (Canada)'],
  ['US', 'San Francisco, CA, Denver, CO'],
  ['US', 'London, UK, Boston, MA'],
  ['US', 'San Jose, CA OR Pittsburgh, PA'],
  ['CA', 'Halifax, NS & Boston, MA'],
  ['US', 'Portland OR United States'],
  ['US', 'Brazil, US'],
  [undefined, 'Berlin, Germany; Paris, France'],
])('of several places the first in Canada or the United States counts, else none: %s, %s', (reading, places) => {
  expect(countryOfPlace(places)).toBe(reading);
});

test.each<[string, (size: number) => string]>([
  ['blanks', (size) => `Remote${' '.repeat(size)}x`],
  ['ways of work', (size) => 'remote '.repeat(size / 7)],
  ['hyphens', (size) => 'US-'.repeat(size / 3)],
  ['codes', (size) => 'AB '.repeat(size / 3)],
])('%s take time in proportion to their number', { tags: 'nightly' }, (_name, make) => {
  const hundred = (size: number) => Array.from({ length: 100 }, () => make(size));
  expect(
    superlinear(hundred, (texts: readonly string[]) => texts.map(countryOfPlace), { from: 64, to: 1_000 }),
  ).toBeUndefined();
});
