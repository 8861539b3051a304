import type { CountryName } from '@ces/proto/catalog';
import { countryOfPlace, countryOfRegion } from '../../extract/places.ts';

const PLACE =
  /\b(?:in|at|near|outside|of)\s+((?:(?:the|St\.|Ft\.|Mt\.)\s+)?\p{Lu}[\p{L}.’'-]{0,40}(?:[ ,]{1,2}\p{Lu}[\p{L}.’'-]{0,40}){0,5})/gu;
/** Names of countries that are names of states, cities or people here as well. */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  'georgia',
  'jersey',
  'jordan',
  'chad',
  'guinea',
  'mali',
  'niger',
  'peru',
  'lebanon',
  'cuba',
  'panama',
]);
const ABROAD: readonly string[] = countriesAbroad();
const REGION =
  /\b(?:europe|asia|africa|middle east|latin america|dubai|abu dhabi|london|singapore|hong kong|shanghai|beijing|tokyo|mumbai|bangalore|bengaluru|hyderabad|paris|berlin|munich|frankfurt|madrid|barcelona|amsterdam|dublin|sydney|melbourne|tel aviv|riyadh|são paulo|kuala lumpur|manila|seoul|taipei|jakarta|bangkok|zurich|geneva|milan|stockholm|copenhagen|oslo|warsaw|lagos|nairobi|cairo|monterrey|guadalajara|aguascalientes)\b/i;

/** `Texas`, `New York`, `British Columbia` as a release writes them, of one to three words. */
const REGION_NAME = /\b\p{Lu}\p{Ll}{2,12}(?: \p{Lu}\p{Ll}{2,12}){0,2}/gu;

/**
 * The country of the site that a release tells of: of the first place that its headline, the sentence, the ones around it or the
 * dateline names. A place abroad before it is the site's own.
 */
export function countryOfSite(
  texts: readonly string[],
  dateline: string | undefined,
): CountryName | 'abroad' | undefined {
  for (const text of texts) {
    const found = countryIn(text);
    if (found) return found;
    if (isAbroad(text)) return 'abroad';
  }
  return countryOfPlace(dateline);
}

function countryIn(text: string): CountryName | undefined {
  const places = [...text.matchAll(PLACE)].map(([, place = '']) => place.replace(/(?<![\s,.])[\s,.]+$/, ''));
  const named = places.map(countryOfPlace).find((country) => country !== undefined);
  if (named) return named;
  for (const [run] of text.matchAll(REGION_NAME)) {
    const words = run.split(' ');
    for (const from of words.keys())
      for (const to of words.keys()) {
        const country = countryOfRegion(words.slice(from, to + 1).join(' '));
        if (to >= from && country) return country;
      }
  }
  return undefined;
}

function isAbroad(text: string): boolean {
  const lower = text.toLowerCase();
  return REGION.test(text) || ABROAD.some((name) => lower.includes(name));
}

/** By the names of all countries that the runtime knows. */
function countriesAbroad(): string[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => code !== 'CA' && code !== 'US')
    .flatMap((code) => names.of(code)?.toLowerCase() ?? [])
    .filter((name) => name.length > 3 && !AMBIGUOUS.has(name) && !name.includes('united states'));
}
