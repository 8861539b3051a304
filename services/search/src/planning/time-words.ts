// These lists are in English and in unaccented French; they were compiled for this service.

export type Bound = 'from' | 'after' | 'before' | 'until' | 'in';

/** The longest phrases come first, because some begin others. */
export const BOUNDS: readonly (readonly [readonly string[], Bound])[] = (
  [
    [
      'from',
      'since, from, starting, starting in, beginning in, as of, as from, no earlier than, not earlier than, not before',
    ],
    ['from', 'depuis, a partir de, a compter de, des'],
    ['after', 'after, later than, newer than, more recent than, post, apres'],
    ['before', 'before, prior to, earlier than, older than, pre, avant'],
    ['until', 'until, till, by, up to, up until, no later than, not later than, not after, jusqu en, jusqu a, jusque'],
    [
      'in',
      'in, during, throughout, over the, of, dated, en, a, pendant, durant, au cours de, au cours des, lors de, lors des, dans les, pendant les, durant les',
    ],
  ] as const
)
  .flatMap(([bound, phrases]) => phrases.split(', ').map((phrase) => [phrase.split(' '), bound] as const))
  .toSorted(([a], [b]) => b.length - a.length);
export const BOUND_FIRST: ReadonlySet<string> = new Set(BOUNDS.flatMap(([words]) => words.slice(0, 1)));
export const OPENING: ReadonlySet<string> = new Set(['between', 'from', 'entre', 'de', 'du']);
export const TO: ReadonlySet<string> = new Set(['to', 'until', 'through', 'till', 'thru', 'a', 'au']);
export const JOINING: ReadonlySet<string> = new Set(['and', 'or', 'et', 'ou']);
/** These words may follow "of 2008". Before other words it is a count: "of 2008 customers". */
export const ENDS: ReadonlySet<string> = new Set(' and or but in by with for from to at on that which who'.split(' '));
export const ONWARD: ReadonlySet<string> = new Set(['onward', 'onwards', 'on', 'forward']);
export const LATER: ReadonlySet<string> = new Set(['later', 'after', 'newer', 'onward', 'onwards', 'since', 'apres']);
export const EARLIER: ReadonlySet<string> = new Set(['earlier', 'before', 'older', 'avant']);
