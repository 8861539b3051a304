import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { PlaceName, Vocabulary } from '../vocabulary.ts';

/** A place named in the query. */
export interface PlaceMention extends PlaceName {
  readonly start: number;
  readonly length: number;
}

/** Finds places; one that a filter demands anyway says nothing more and is only taken out of the words. */
export function findPlaces(words: readonly string[], vocabulary: Vocabulary): PlaceMention[] {
  const mentions: PlaceMention[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const match = vocabulary.places.longestAt(words, at);
    if (!match) continue;
    mentions.push({ ...match.value, start: at, length: match.length });
    at += match.length - 1;
  }
  return mentions;
}

/** Whether the country filter says already what the place says. */
export function isDemanded(place: Pick<PlaceName, 'country'>, countries: readonly Country[]): boolean {
  return place.country !== Country.UNSPECIFIED && countries.length === 1 && countries[0] === place.country;
}
