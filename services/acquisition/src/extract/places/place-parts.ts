import { countryCodeOf } from './country-names.ts';
import { areasOfCity } from './gazetteer.ts';
import { findRegion } from './places.ts';

const MAX_PLACE = 1_000;
const ALTERNATIVES = /[;/|•\n]|\s(?:or|ou|&)\s|\sOR\s(?!USA?\b|U\.S|United)(?=\p{Lu}\p{Ll})/u;
const PARTS = /[,()[\]:>]|\s?[–—]\s?|\s-|-\s/;
/** Codes joined by hyphens: `US-CA-Irvine`. The city may have hyphens and end in a code. */
const JOINED_CODES = /^[A-Z]{2,3}-(?:[A-Z]{2,3}-)*(?=[\p{Lu}\d])/u;
const JOINED_CODE_AT_END = /-(?=[A-Z]{2,3}$)/;
const LONGEST_CODE = 3;
/** `Toronto ON M5V 2T6 Canada` has three. Without a bound the time is quadratic. */
const MOST_AT_END = 5;
const WAYS_OF_WORK = ['remote', 'hybrid', 'onsite', 'office', 'only', 'based', 'nationwide'];
const LEADING_WORDS = new Set([...WAYS_OF_WORK, 'fully', '100%', 'anywhere', 'greater', 'within', 'from', 'of', 'the']);
const TRAILING_WORDS = new Set([...WAYS_OF_WORK, 'metro', 'region', 'hq']);
const OF_NO_PLACE = /\bon[- ]site\b|\btime zones\b| (?:metro |metropolitan |bay )?area$/gi;
/** No comma before them: `Toronto ON`, `IL 60804`, `CA United States`. */
const TRAILING_COUNTRY = / (?:USA?|U\.S\.(?:A\.)?|United States(?: of America)?|Canada|UK|United Kingdom)$/;
const TRAILING_REGION = / [A-Z]{2}$/;
const POSTAL_CODE = /^(?:\d[\d -]*|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/;
const TRAILING_POSTAL_CODE = / (?:\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/;

/** `Remote - Toronto ON or Austin, TX` gives `Toronto`, `ON` and `Austin`, `TX`. */
export function splitPlace(text: string): string[][] {
  return text
    .slice(0, MAX_PLACE)
    .split(ALTERNATIVES)
    .flatMap((place) => segmentsOf(place.split(PARTS).flatMap((part) => splitPart(part))));
}

function segmentsOf(parts: readonly string[]): string[][] {
  const segments: string[][] = [[]];
  let hasCity = false;
  let hasRegion = false;
  for (const part of parts) {
    const isRegion = POSTAL_CODE.test(part) || findRegion(part) !== undefined || countryCodeOf(part) !== undefined;
    if (!isRegion && hasCity && hasRegion) {
      segments.push([]);
      hasRegion = false;
    }
    segments.at(-1)?.push(part);
    hasCity ||= !isRegion;
    hasRegion ||= isRegion;
  }
  return segments;
}

function splitPart(text: string, atEnd = MOST_AT_END): string[] {
  const part = stripWords(text);
  if (part === '') return [];
  const codes = JOINED_CODES.exec(part)?.[0];
  if (codes !== undefined)
    return [...codes.split('-'), ...part.slice(codes.length).split(JOINED_CODE_AT_END)].flatMap((piece) =>
      splitPart(piece),
    );
  if (joinsCountry(part)) return part.split('-').flatMap((piece) => splitPart(piece));
  if (atEnd === 0) return [part];
  const last = (TRAILING_POSTAL_CODE.exec(part) ?? countryAtEnd(part) ?? regionAtEnd(part))?.[0];
  return last === undefined ? [part] : [...splitPart(part.slice(0, -last.length), atEnd - 1), last.trim()];
}

function stripWords(text: string): string {
  const words = text.trim().replace(/\s+/g, ' ').replace(OF_NO_PLACE, '').split(' ').filter(Boolean);
  const isLeading = (word: string) => word === 'in' || LEADING_WORDS.has(word.toLowerCase());
  const first = words.findIndex((word) => !isLeading(word));
  if (first < 0) return '';
  const last = words.findLastIndex((word) => !TRAILING_WORDS.has(word.toLowerCase()));
  return words.slice(first, last + 1).join(' ');
}

/** Matches `United States-Arizona-Chandler`, not `Guinea-Bissau` or `Dund-Us`. */
function joinsCountry(part: string): boolean {
  if (!part.includes('-') || countryCodeOf(part) || findRegion(part)) return false;
  const isWritten = (piece: string) => piece.length > LONGEST_CODE || piece === piece.toUpperCase();
  return part.split('-').some((piece) => isWritten(piece) && countryCodeOf(piece) && !findRegion(piece));
}

function countryAtEnd(part: string): RegExpExecArray | undefined {
  const found = TRAILING_COUNTRY.exec(part);
  return found && areasOfCity(part).length === 0 ? found : undefined;
}

function regionAtEnd(part: string): RegExpExecArray | undefined {
  const found = TRAILING_REGION.exec(part);
  return found && findRegion(found[0]) ? found : undefined;
}
