import { topicWordsOf } from '../company/matched-words.ts';
import { COUNTRIES, type Country } from '../words/countries.ts';
import { KINDS, type Kind } from '../words/kinds.ts';
import { findPlaces, type Region, regionOfCode } from '../words/regions.ts';
import { type Period, takePeriods } from './read-period.ts';
import { Remainder } from './remainder.ts';

export interface NamedKind {
  readonly kind: Kind;
  readonly text: string;
}

export interface NamedArea {
  readonly country: Country;
  readonly region?: Region;
  readonly text: string;
}

export interface QueryReading {
  readonly phrases: readonly string[];
  /** With a minus; no result has them. */
  readonly excluded: readonly string[];
  readonly kinds: readonly NamedKind[];
  readonly areas: readonly NamedArea[];
  readonly periods: readonly Period[];
  /** Amounts with a bound, which this page does not compare. */
  readonly amounts: readonly string[];
  /** The other words, except words without meaning of their own. */
  readonly words: readonly string[];
}

const PREAMBLE =
  /^\s*(?:(?:i|we)(?:['’](?:m|re)|\s+am|\s+are)?\s+)?(?:please\s+)?(?:find|show|list|search(?:\s+for)?|looking\s+for|want|need)\s+(?:me\s+)?/i;
const PHRASE = /"([^"]+)"/g;
const EXCLUDED = /(?<=^|\s)-("[^"]+"|[^\s"]+)/g;
const NUMBER = String.raw`[$€£]?\d[\d.,]*(?:\s*(?:thousand|million|billion|percent|%|bn\b|[kmb]\b))?`;
const UNIT = String.raw`(?:\s+(?:dollars|cad|usd|jobs|employees|people|workers|mw|megawatts|tonnes|tons|acres|(?:square|sq\.?)\s+f(?:ee|oo)?t))?`;
const AMOUNT = new RegExp(
  String.raw`\b(?:over|above|more than|at least|under|below|less than|fewer than|up to|at most)\s+${NUMBER}${UNIT}`,
  'gi',
);

/** Kinds by the words that name them. A query's other words may still name one for the service. */
const KIND_WORDS: readonly (readonly [Kind, RegExp])[] = [
  [
    'leadership_change',
    /\b(?:(?:new|hir\w+|appoint\w*|nam(?:ed|es|ing))\s+(?:an?\s+|its\s+|their\s+)?(?:new\s+)?(?:ceo|cfo|cto|coo|president|chief\s+\w+(?:\s+officer)?)s?|appoint(?:s|ed|ing|ments?)?|leadership(?:\s+changes?)?)\b/gi,
  ],
  ['job_posting', /\b(?:hir(?:es?|ing|ed)|job\s+(?:openings?|postings?|offers?)|jobs?|recruit\w*|vacanc(?:y|ies))\b/gi],
  [
    'procurement_request',
    /\b(?:tenders?|bids?|bidding|rf[pqi]s?|solicitations?|procur\w+|requests?\s+for\s+(?:proposals?|quotations?|bids)|buying|looking\s+for|seeking)\b/gi,
  ],
  [
    'funding_round',
    /\b(?:fund(?:ing|raising)(?:\s+rounds?)?|rais(?:e[sd]?|ing)(?:\s+(?:money|capital))?|venture\s+capital)\b/gi,
  ],
  ['product_launch', /\b(?:launch(?:es|ed|ing)?|unveil\w*)\b/gi],
  ['partnership', /\b(?:partner(?:s|ed|ing|ships?)?|alliances?|joint\s+ventures?)\b/gi],
  [
    'facility_expansion',
    /\b(?:expan(?:ds?|ding|ded|sions?)|open(?:s|ing|ed)?|build(?:s|ing)?(?=\s+(?:an?|its|their|new|another)\b)|construct(?:s|ing|ion)?|br(?:oke|eaking)\s+ground)\b/gi,
  ],
  ['technology_use', /\b(?:us(?:es|ing)|adopt(?:s|ed|ing)?|deploy(?:s|ed|ing)?)\b/gi],
];
/** A round is a topic of its own, and it names the kind too. */
const ROUND = /\b(?:series\s+[a-h]|(?:pre-)?seed(?:\s+round)?)\b/gi;
const COUNTRY_WORDS: readonly (readonly [Country, RegExp])[] = [
  ['CA', /\bCanad(?:a|ian)\b/gi],
  ['US', /\b(?:United\s+States|American?|USA)\b|\bU\.S\.(?:A\.)?|\bUS\b/g],
];
const CODE_IN = /(?<=\b(?:in|from|near|to)\s)([A-Z]{2})\b/g;
const TURNED_DOWN =
  /\b(?:not|no|except|excluding|outside|without|other\s+than)\s+(?:in\s+|from\s+|of\s+)?(?:the\s+)?$/i;

const NEGATION = /^(?:not|no|except|excluding|outside|without|than)$/i;

/** Explains an answer. The service plans by far more words. */
export function readQuery(query: string, asOf: Date): QueryReading {
  const rest = new Remainder(query.replace(PREAMBLE, ' '));
  const excluded = rest.take(EXCLUDED).map(({ text }) => text.slice(1).replaceAll('"', ''));
  const phrases = rest.take(PHRASE).map(({ text }) => text.slice(1, -1));
  const amounts = rest.take(AMOUNT).map(({ text }) => text);
  const periods = takePeriods(rest, asOf);
  const areas = takeAreas(rest);
  const rounds = rest.take(ROUND).map(({ text }) => text);
  const kinds = [...rounds.map((text) => ({ kind: 'funding_round', text }) as const), ...takeKinds(rest)];
  return {
    phrases,
    excluded,
    kinds: distinctBy(kinds, ({ kind }) => kind),
    areas: distinctBy(areas, ({ country, region }) => region?.code ?? country),
    periods,
    amounts,
    words: [...rounds, ...topicWordsOf(rest.text).filter((word) => !NEGATION.test(word))],
  };
}

/** Words of a condition that appear in no shown text may still be met by its kind. */
export function nameOfArea({ country, region }: NamedArea): string {
  return region?.name ?? COUNTRIES[country];
}

export function nameOfKind({ kind }: NamedKind): string {
  return KINDS[kind];
}

function takeKinds(rest: Remainder): readonly NamedKind[] {
  return KIND_WORDS.flatMap(([kind, pattern]) => rest.take(pattern).map(({ text }) => ({ kind, text })));
}

function takeAreas(rest: Remainder): readonly NamedArea[] {
  const countries = COUNTRY_WORDS.flatMap(([country, pattern]) =>
    rest.take(pattern).flatMap(({ text, before }) => (TURNED_DOWN.test(before) ? [] : [{ country, text }])),
  );
  const codes = rest.take(CODE_IN).flatMap(({ text }) => {
    const region = regionOfCode(text);
    return region ? [{ country: region.country, region, text }] : [];
  });
  const named = findPlaces(rest.text);
  const regions = named.flatMap(({ region, from, to }) =>
    TURNED_DOWN.test(rest.text.slice(0, from))
      ? []
      : [{ country: region.country, region, text: rest.text.slice(from, to) }],
  );
  // Cities stay words of the topic, since only the text can show them.
  for (const { region } of named) rest.take(new RegExp(`,?\\s*\\b${region.name.replaceAll(' ', '\\s+')}\\b`, 'gi'));
  return [...countries, ...codes, ...regions];
}

function distinctBy<One>(all: readonly One[], keyOf: (one: One) => string): readonly One[] {
  return [...new Map(all.toReversed().map((one) => [keyOf(one), one])).values()].toReversed();
}
