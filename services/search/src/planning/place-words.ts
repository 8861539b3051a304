// These lists were compiled for this service.

export const BEFORE_PLACES: ReadonlySet<string> = new Set(
  'in near around across outside throughout within between downtown greater metro'.split(' '),
);
/** These words may precede a city, even one in an unknown spelling. */
export const BEFORE_CITIES: ReadonlySet<string> = new Set(['in', 'near', 'around', 'outside', 'from', 'at']);
export const AROUND: ReadonlySet<string> = new Set(['near', 'around', 'greater', 'metro', 'metropolitan']);
export const AREA: ReadonlySet<string> = new Set(['area', 'metro', 'metropolitan', 'region', 'vicinity', 'suburbs']);
/** Texts rarely contain these modifiers, so they add nothing to the place. */
export const PLACE_MODIFIERS: ReadonlySet<string> = new Set(
  (
    'northern southern eastern western central upstate downstate rural coastal greater metro metropolitan downtown interior ' +
    'north south east west northwest northeast southwest southeast northwestern northeastern southwestern southeastern'
  ).split(' '),
);
/** By itself it names a region of the United States; before a place it names a part of it. */
export const DIRECTIONS: ReadonlySet<string> = new Set(
  'northwest northeast southwest southeast northwestern northeastern southwestern southeastern'.split(' '),
);
export const CONJUNCTIONS: ReadonlySet<string> = new Set(['and', 'or', 'et', 'ou']);
/** These codes are also other abbreviations. "in" does not make them places. */
export const AMBIGUOUS_CODES: ReadonlySet<string> = new Set(['PR', 'PE', 'MS', 'ID', 'AL', 'HI']);
export const CITY_WORDS = 3;
