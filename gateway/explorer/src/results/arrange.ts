import { placeOf, type ShownPlace } from '../company/place-of.ts';
import type { CompanyMatch, SupportingObservation } from '../session/client.ts';
import { COUNTRIES, type Country } from '../words/countries.ts';
import { KINDS, type Kind } from '../words/kinds.ts';

export interface Delivered {
  readonly company: CompanyMatch;
  readonly rank: number;
  /** When the shortlist was frozen. */
  readonly asOf: string;
}

export interface Arrangement {
  readonly sort: Sort;
  readonly kind: Kind | '';
  readonly country: Country | '';
  readonly region: string;
  /** Days before the answer; `''` for any time. */
  readonly within: string;
}

export const SORTS = {
  match: 'Best match first',
  newest: 'Newest event first',
  oldest: 'Oldest event first',
  kind: 'By kind',
  place: 'By place',
  name: 'By name',
} as const;
export type Sort = keyof typeof SORTS;

export const AS_DELIVERED: Arrangement = { sort: 'match', kind: '', country: '', region: '', within: '' };

export interface ResultRow extends Delivered {
  /** The best ranked observation that the arrangement does not leave out. */
  readonly best: SupportingObservation;
  readonly place: ShownPlace;
}

const DAY_MS = 86_400_000;
const KIND_ORDER = Object.keys(KINDS);

export function isNarrowed({ kind, country, region, within }: Arrangement): boolean {
  return [kind, country, region, within].some((value) => value !== '');
}

/** Nothing is searched or charged. */
export function arrange(delivered: readonly Delivered[], arrangement: Arrangement): readonly ResultRow[] {
  const rows = delivered.flatMap((one) => {
    const row = rowOf(one, arrangement);
    return row ? [row] : [];
  });
  const { sort } = arrangement;
  return rows.toSorted((a, b) => COMPARE[sort](a, b) || a.rank - b.rank);
}

export type Choice = readonly [value: string, label: string, companies: number];

export function choicesOf(delivered: readonly Delivered[]) {
  const all = delivered.map(({ company }) => {
    const places = company.observations.map((observation) => placeOf(observation, company.name));
    return {
      kinds: company.observations.map(({ kind }) => kind),
      countries: places.map(({ country }) => country),
      regions: places.flatMap(({ region }) => region?.name ?? []),
    };
  });
  return {
    kinds: counted(
      all.map(({ kinds }) => kinds),
      (kind) => KINDS[kind],
    ).toSorted(([a], [b]) => KIND_ORDER.indexOf(a) - KIND_ORDER.indexOf(b)),
    countries: counted(
      all.map(({ countries }) => countries),
      (country) => COUNTRIES[country],
    ),
    regions: counted(
      all.map(({ regions }) => regions),
      (name) => name,
    ).toSorted(([a], [b]) => a.localeCompare(b)),
  };
}

function counted<Value extends string>(
  companies: readonly (readonly Value[])[],
  labelOf: (value: Value) => string,
): readonly Choice[] {
  const counts = new Map<Value, number>();
  for (const values of companies) for (const value of new Set(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => [value, labelOf(value), count]);
}

function rowOf(one: Delivered, arrangement: Arrangement): ResultRow | undefined {
  for (const best of one.company.observations) {
    const place = placeOf(best, one.company.name);
    if (isShown(best, place, one.asOf, arrangement)) return { ...one, best, place };
  }
  return undefined;
}

function isShown(
  { kind, occurred_at }: SupportingObservation,
  place: ShownPlace,
  asOf: string,
  wanted: Arrangement,
): boolean {
  const since = wanted.within === '' ? -Infinity : Date.parse(asOf) - Number(wanted.within) * DAY_MS;
  return (
    (wanted.kind === '' || kind === wanted.kind) &&
    (wanted.country === '' || place.country === wanted.country) &&
    (wanted.region === '' || place.region?.name === wanted.region) &&
    (wanted.within === '' || (occurred_at !== null && Date.parse(occurred_at) >= since))
  );
}

type Compare = (a: ResultRow, b: ResultRow) => number;

/** Undated profiles come last in either order of time. */
const COMPARE: Readonly<Record<Sort, Compare>> = {
  match: () => 0,
  newest: (a, b) => timeOf(b, -Infinity) - timeOf(a, -Infinity) || 0,
  oldest: (a, b) => timeOf(a, Infinity) - timeOf(b, Infinity) || 0,
  kind: (a, b) => KIND_ORDER.indexOf(a.best.kind) - KIND_ORDER.indexOf(b.best.kind),
  place: (a, b) => placeKey(a).localeCompare(placeKey(b)),
  name: (a, b) => a.company.name.localeCompare(b.company.name),
};

function timeOf({ best }: ResultRow, undated: number): number {
  return best.occurred_at === null ? undated : Date.parse(best.occurred_at);
}

/** A company whose text names no region follows those of its country that do. */
function placeKey({ place: { country, region, city } }: ResultRow): string {
  return [country, region?.name ?? '\uffff', city ?? ''].join('\n');
}
