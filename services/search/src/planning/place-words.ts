// Words around places; our own lists.

/** Words that a place follows. */
export const BEFORE_PLACES: ReadonlySet<string> = new Set(
  'in near around across outside throughout within between downtown greater metro'.split(' '),
);
/** The same, where a city in any other spelling than a known one may follow. */
export const BEFORE_CITIES: ReadonlySet<string> = new Set(['in', 'near', 'around', 'outside', 'from', 'at']);
export const AROUND: ReadonlySet<string> = new Set(['near', 'around', 'greater', 'metro', 'metropolitan']);
export const AREA: ReadonlySet<string> = new Set(['area', 'metro', 'metropolitan', 'region', 'vicinity', 'suburbs']);
/** Parts of a place that a text seldom names: they add nothing to the place. */
export const PARTS: ReadonlySet<string> = new Set(
  (
    'northern southern eastern western central upstate downstate rural coastal greater metro metropolitan downtown interior ' +
    'north south east west northwest northeast southwest southeast northwestern northeastern southwestern southeastern'
  ).split(' '),
);
/** Directions that name a region of the United States by themselves, and a part of a place before one. */
export const DIRECTIONS: ReadonlySet<string> = new Set(
  'northwest northeast southwest southeast northwestern northeastern southwestern southeastern'.split(' '),
);
export const LISTING: ReadonlySet<string> = new Set(['and', 'or', 'et', 'ou']);
/** Codes that are other abbreviations as well: behind "in" they name no place by themselves. */
export const DOUBTFUL_CODES: ReadonlySet<string> = new Set(['PR', 'PE', 'MS', 'ID', 'AL', 'HI']);
export const CITY_WORDS = 3;
