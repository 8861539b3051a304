interface Span {
  readonly since?: Date;
  readonly until?: Date;
  readonly length: number;
  readonly isVague?: true;
}

const NUMBERS: ReadonlyMap<string, number> = new Map(
  [
    'one un une',
    'two deux couple',
    'three trois few',
    'four quatre',
    'five cinq several',
    'six',
    'seven sept',
    'eight huit',
    'nine neuf',
    'ten dix',
    'eleven onze',
    'twelve douze',
  ].flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)),
);
const UNIT_DAYS: ReadonlyMap<string, number> = new Map(
  (
    [
      ['hour heure', 1 / 24],
      ['day jour', 1],
      ['week semaine', 7],
      ['month mois moi', 30],
      ['quarter trimestre', 91],
      ['year an annee', 365],
      ['decade decennie', 3652],
    ] as const
  ).flatMap(([names, days]) => names.split(' ').map((name) => [name, days] as const)),
);
const CALENDAR: ReadonlyMap<string, number> = new Map(
  (
    [
      ['month mois', 1],
      ['quarter trimestre', 3],
      ['year annee an', 12],
    ] as const
  ).flatMap(([names, months]) => names.split(' ').map((name) => [name, months] as const)),
);
const RECENT: ReadonlySet<string> = new Set([
  'recent',
  'recently',
  'latest',
  'lately',
  'newly',
  'recemment',
  'dernierement',
]);
const RECENT_DAYS = 90;
const LAST: ReadonlySet<string> = new Set(['last', 'past', 'previous', 'derniers', 'dernieres']);
const BEHIND: ReadonlySet<string> = new Set(['dernier', 'derniere', 'passe', 'passee']);
const THIS: ReadonlySet<string> = new Set(['this', 'current', 'cette', 'ce']);
const AGO: ReadonlyMap<string, 'before' | 'since'> = new Map([
  ['more', 'before'],
  ['over', 'before'],
  ['less', 'since'],
  ['fewer', 'since'],
  ['under', 'since'],
  ['within', 'since'],
]);
const DAY_MS = 86_400_000;

/** Matches "recently", "this year", "in the last three months", "ces trois derniers mois". */
export function spanAt(words: readonly string[], at: number, now: Date): Span | undefined {
  const [word = '', next = ''] = words.slice(at, at + 2);
  if (RECENT.has(word)) return { since: daysBefore(now, RECENT_DAYS), length: 1, isVague: true };
  if (word === 'yesterday' || word === 'hier') return { since: daysBefore(now, 1), length: 1 };
  if (THIS.has(word)) return thisUnit(next, now);
  if (LAST.has(word)) return lastUnits(words, at, now);
  if (['start', 'beginning'].includes(word) && /^of (?:the|this) year$/.test(words.slice(at + 1, at + 4).join(' ')))
    return { since: new Date(Date.UTC(now.getUTCFullYear(), 0, 1)), length: 4 };
  const ago = agoAt(words, at, now);
  if (ago) return ago;
  const count = countAt(word);
  if (count > 0 && LAST.has(next)) return unitsAt(words, at + 2, at, count, now);
  if (['l', 'an', 'annee', 'mois', 'le'].includes(word)) return unitBehind(words, at, now);
  return undefined;
}

function agoAt(words: readonly string[], at: number, now: Date): Span | undefined {
  const [first = '', second = ''] = words.slice(at, at + 2);
  const than = second === 'than' ? 2 : 1;
  const bound = than === 2 || ['over', 'under', 'within'].includes(first) ? AGO.get(first) : undefined;
  const count = bound ? countAt(words[at + than] ?? '') : 0;
  const days = daysOf(words[at + than + 1] ?? '');
  if (!days || count === 0 || words[at + than + 2] !== 'ago') return undefined;
  const day = daysBefore(now, count * days);
  return bound === 'before' ? { until: day, length: than + 3 } : { since: day, length: than + 3 };
}

/** "last year" is a calendar year; "the past year" and "last 3 months" end today. */
function lastUnits(words: readonly string[], at: number, now: Date): Span | undefined {
  const next = words[at + 1] ?? '';
  const isOfCalendar = words[at] !== 'past' && !['the', 'in', 'over'].includes(words[at - 1] ?? '');
  const months = CALENDAR.get(next);
  if (isOfCalendar && months) return calendarUnit(months, now, 2);
  const unit = daysOf(next);
  if (unit) return { since: daysBefore(now, unit), length: 2 };
  const ofAt = words[at + 2] === 'of' ? at + 3 : at + 2;
  return unitsAt(words, ofAt, at, countAt(next), now);
}

function unitBehind(words: readonly string[], at: number, now: Date): Span | undefined {
  const from = ['l', 'le'].includes(words[at] ?? '') ? at + 1 : at;
  const months = CALENDAR.get(words[from] ?? '');
  return months && BEHIND.has(words[from + 1] ?? '') ? calendarUnit(months, now, from + 2 - at) : undefined;
}

function unitsAt(words: readonly string[], unitAt: number, at: number, count: number, now: Date): Span | undefined {
  const days = daysOf(words[unitAt] ?? '');
  return count > 0 && days ? { since: daysBefore(now, count * days), length: unitAt + 1 - at } : undefined;
}

function calendarUnit(months: number, now: Date, length: number): Span {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const begin = month - (month % months);
  return {
    since: new Date(Date.UTC(year, begin - months, 1)),
    until: new Date(Date.UTC(year, begin, 1)),
    length,
  };
}

function thisUnit(unit: string, now: Date): Span | undefined {
  const months = CALENDAR.get(unit);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  if (months) return { since: new Date(Date.UTC(year, month - (month % months), 1)), length: 2 };
  return unit === 'week' || unit === 'semaine'
    ? { since: daysBefore(now, (now.getUTCDay() + 6) % 7), length: 2 }
    : undefined;
}

function countAt(word: string): number {
  return Number(/^\d{1,3}$/.test(word) ? word : (NUMBERS.get(word) ?? 0));
}

function daysOf(unit: string): number | undefined {
  return UNIT_DAYS.get(unit.replace(/s$/, ''));
}

function daysBefore(now: Date, days: number): Date {
  const at = new Date(now.getTime() - days * DAY_MS);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
}
