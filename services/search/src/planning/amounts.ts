import { isCount, type Measure } from '../facts/measures.ts';
import { numberAt } from '../facts/numbers.ts';
import type { Piece } from '../facts/piece.ts';
import { isJoined, piecesOf } from '../facts/pieces.ts';
import { quantityAt, unitAt } from '../facts/quantities.ts';
import { type RangeEnd, rangeAt } from '../facts/ranges.ts';
import { formsOf } from '../vocabulary/inflections.ts';
import { type Bound, comparisonAfter, comparisonBefore } from './comparisons.ts';
import { INVERTED_BOUND, isTooMuchAt, negationBefore } from './inverted-bound.ts';

export interface AmountMention {
  readonly text: string;
  readonly measure: Measure;
  readonly least: number | undefined;
  readonly most: number | undefined;
  readonly strict: boolean;
}

/** `rest` keeps counted nouns ("more than 50 hotels"), "jobs" only after a verb of loss. */
export interface Amounts {
  readonly mentions: readonly AmountMention[];
  readonly rest: string;
}

const LEADING: ReadonlySet<string> = new Set(
  'costing cost costs worth valued totalling totaling priced budgeted of at with well just slightly far even'.split(
    ' ',
  ),
);
const OF_MONEY: ReadonlySet<string> = new Set(
  'million millions milliard milliards billion billions trillion bn mn mm mln m b'.split(' '),
);
const NOT_COUNTED: ReadonlySet<string> = new Set(
  'in for by or and from since to with at on before after during last this that who which between plus round rounds'.split(
    ' ',
  ),
);
/** After these verbs, a number of jobs is a loss. */
const LOSING: ReadonlySet<string> = new Set(['cut', 'eliminate', 'lose', 'shed', 'slash'].flatMap(formsOf));
/** An amount without a comparison, or with "about", has this tolerance. */
const ROUGHLY = 0.2;
const MOST = 4;

/** Matches "more than two billion dollars", "at least 500 MW", "200 jobs". */
export function findAmounts(query: string): Amounts {
  const pieces = piecesOf(query);
  const mentions: AmountMention[] = [];
  let rest = '';
  let kept = 0;
  for (let at = 0; at < pieces.length && mentions.length < MOST; at += 1) {
    const range = betweenAt(query, pieces, at);
    if (range?.isRate) {
      at += range.length - 1;
      continue;
    }
    const found = range ?? singleAt(query, pieces, at, kept);
    if (!found) continue;
    const first = leadingFrom(pieces, at, kept);
    const start = pieces[first]?.start ?? 0;
    const end = endOf(query, pieces[at + found.length - 1]?.end ?? 0);
    const { measure, least, most, strict } = found;
    mentions.push({ text: query.slice(pieces[at]?.start, end), measure, least, most, strict });
    const ofJobs = LOSING.has(pieces[first - 1]?.word ?? '') ? 'jobs' : '';
    const noun = measure === 'jobs' ? ofJobs : isCount(measure) ? found.noun : '';
    const turning = found.isNegated ? negationBefore(query, pieces, at, kept) : undefined;
    if (turning) {
      rest += query.slice(kept, turning.start);
      kept = turning.end;
    }
    rest += `${query.slice(kept, start)} ${noun} `;
    kept = end;
    at += found.length - 1;
  }
  return { mentions, rest: rest + query.slice(kept) };
}

interface Found extends Omit<AmountMention, 'text'> {
  readonly noun: string;
  readonly length: number;
  readonly isNegated?: boolean;
}

function betweenAt(
  query: string,
  pieces: readonly Piece[],
  at: number,
): (Found & { readonly isRate: boolean }) | undefined {
  const before = comparisonBefore(pieces, at);
  const opens = before?.bound === 'around' ? before.length : 0;
  const range = rangeAt(query, pieces, at + opens, comparedAmountAt);
  if (!range) return undefined;
  const length = opens + range.length;
  return { ...range, strict: false, noun: pieces[at + length - 1]?.text ?? '', length };
}

function singleAt(query: string, pieces: readonly Piece[], at: number, kept: number): Found | undefined {
  const before = comparisonBefore(pieces, at);
  const parted = before ? undefined : partedAt(query, pieces, at);
  if (parted) return parted;
  const start = at + (before?.length ?? 0);
  const amount: Amount | undefined =
    (before && endAt(query, pieces, start, before.bound)) ??
    (before ? comparedAmountAt : quantityAt)(query, pieces, start) ??
    magnitudeAlone(query, pieces, start);
  if (!amount) return undefined;
  const end = start + amount.length;
  const behind = before ? undefined : comparisonAfter(pieces, end);
  const written = query.slice(pieces[start]?.start, endOf(query, pieces[end - 1]?.end ?? 0));
  const isOpen = written.includes('+') || amount.isOpen;
  const said = before?.bound ?? behind?.bound ?? (isOpen ? 'least' : 'around');
  const isTooMuch = isTooMuchAt(query, pieces, end + (behind?.length ?? 0));
  const isNegated = said !== 'around' && (isTooMuch || negationBefore(query, pieces, at, kept) !== undefined);
  const bound = isNegated ? INVERTED_BOUND[said] : said;
  const noun = pieces[end - 1]?.text ?? '';
  const length = end + (behind?.length ?? 0) - at;
  return { measure: amount.measure, ...rangeOf(bound, amount.value), noun, length, isNegated };
}

/** Matches "100 or more properties": the comparison separates the number from its noun. */
function partedAt(query: string, pieces: readonly Piece[], at: number): Found | undefined {
  const number = numberAt(query, pieces, at, false);
  const comparison = number && comparisonAfter(pieces, at + number.length);
  if (!comparison) return undefined;
  const behind = at + number.length + comparison.length;
  const unit = unitAt(query, pieces, behind);
  if (!unit) return undefined;
  const { measure, factor } = unit.unit;
  const noun = pieces[behind + unit.length - 1]?.text ?? '';
  return { measure, ...rangeOf(comparison.bound, number.value * factor), noun, length: behind + unit.length - at };
}

function rangeOf(bound: Bound, value: number): Pick<Found, 'least' | 'most' | 'strict'> {
  if (bound === 'around') return { least: value * (1 - ROUGHLY), most: value * (1 + ROUGHLY), strict: false };
  const strict = bound === 'above' || bound === 'below';
  const isLeast = bound === 'above' || bound === 'least';
  return { least: isLeast ? value : undefined, most: isLeast ? undefined : value, strict };
}

interface Amount extends Pick<RangeEnd, 'measure' | 'value' | 'length'> {
  readonly isOpen?: boolean;
}

/** The bound that a comparison refers to: the lower end of "at least $5-10 million". */
function endAt(query: string, pieces: readonly Piece[], at: number, bound: Bound): Amount | undefined {
  const range = rangeAt(query, pieces, at, comparedAmountAt);
  if (!range || range.isRate) return undefined;
  const isLeast = bound === 'above' || bound === 'least';
  return { measure: range.measure, value: isLeast ? range.least : range.most, length: range.length };
}

function comparedAmountAt(query: string, pieces: readonly Piece[], at: number): RangeEnd | undefined {
  return quantityAt(query, pieces, at) ?? plainMoneyAt(query, pieces, at);
}

/** Reads "30 million" as money unless a countable noun follows. */
function plainMoneyAt(query: string, pieces: readonly Piece[], at: number): RangeEnd | undefined {
  const number = numberAt(query, pieces, at, true);
  if (!number) return undefined;
  const end = at + number.length;
  const next = pieces[end];
  if (!OF_MONEY.has(pieces[end - 1]?.word ?? '')) return undefined;
  if (next && isJoined(query, pieces, end) && !NOT_COUNTED.has(next.word)) return undefined;
  return { measure: 'money', factor: 1, ...number };
}

function magnitudeAlone(query: string, pieces: readonly Piece[], at: number): Amount | undefined {
  const opens = pieces[at]?.word === 'multi' ? 1 : 0;
  const magnitude = (pieces[at + opens]?.word ?? '').replace(/^multi/, '');
  const value = magnitude === 'million' ? 1e6 : magnitude === 'billion' ? 1e9 : undefined;
  const behind = at + opens + 1;
  if (!value || !/^dollars?$/.test(pieces[behind]?.word ?? '') || !isJoined(query, pieces, behind)) return undefined;
  return { measure: 'money', value, length: opens + 2, isOpen: true };
}

function leadingFrom(pieces: readonly Piece[], at: number, kept: number): number {
  let from = at;
  while (LEADING.has(pieces[from - 1]?.word ?? '') && (pieces[from - 1]?.start ?? 0) >= kept) from -= 1;
  return from;
}

function endOf(query: string, end: number): number {
  return query.startsWith('+', end) ? end + 1 : end;
}
