import { create } from '@bufbuild/protobuf';
import { KINDS } from '@ces/proto/catalog';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  type KindWeight,
  KindWeightSchema,
  type Place,
  PlaceSchema,
  type SearchFilters,
  type Term,
  TermSchema,
} from '@ces/proto/ces/search/v1/search_pb.ts';
import type { PlaceName } from '../vocabulary/place-names.ts';
import { isRequiredByFilter } from './places.ts';
import {
  COMPANY_PROFILE_KIND,
  NAMED_KIND,
  OTHER_KIND,
  OTHER_THAN_PROFILE,
  PART_WEIGHT,
  PLACE_WEIGHT,
} from './weights.ts';

/** If only profiles are searched, the observation is itself the description. */
export function searchesOnlyProfiles(filters: SearchFilters): boolean {
  return filters.kinds.every((kind) => kind === Kind.COMPANY_PROFILE);
}

export function kindWeights(named: ReadonlySet<Kind>): KindWeight[] {
  if (named.size === 0) return [];
  const namesCompanies = named.size === 1 && named.has(Kind.COMPANY_PROFILE);
  const [own, other] = namesCompanies ? [COMPANY_PROFILE_KIND, OTHER_THAN_PROFILE] : [NAMED_KIND, OTHER_KIND];
  return KINDS.map((kind) => create(KindWeightSchema, { kind, factor: named.has(kind) ? own : other }));
}

/** A question names fewer places. */
const PLACES = 20;
const NAMES = 80;
const NAMES_AS_WORDS = 20;

export function placesOf(
  named: readonly Pick<PlaceName, 'names' | 'near' | 'except' | 'country'>[],
  filters: SearchFilters,
): Place[] {
  const asked = named.filter((place) => !isRequiredByFilter(place, filters.countries));
  const distinct = new Map(asked.map((place) => [place.names.join(), place]));
  return [...distinct.values()].slice(0, PLACES).map(({ names, near, except, country }) =>
    create(PlaceSchema, {
      text: names[0] ?? '',
      names: names.slice(0, NAMES),
      near: near.slice(0, NAMES),
      except: [...except],
      weight: PLACE_WEIGHT,
      country,
    }),
  );
}

/** The user's own location is only a weighted term: matching companies may be elsewhere. */
export function placeTerms(places: readonly Pick<PlaceName, 'names' | 'country'>[]): Term[] {
  return places
    .filter(({ country }) => country === Country.UNSPECIFIED)
    .slice(0, PLACES)
    .map(({ names }) =>
      create(TermSchema, {
        words: [],
        weight: PART_WEIGHT,
        text: names[0] ?? '',
        related: names.slice(0, NAMES_AS_WORDS).map((name) => ({ words: name.split(' '), weight: 1 })),
      }),
    );
}
