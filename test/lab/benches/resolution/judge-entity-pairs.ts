import type { NamedFacts } from '@ces/lookup/resolution/company-facts';
import { resolve } from '@ces/lookup/test-support/judge-pairs';
import { wilson } from '../../../support/wilson.ts';
import type { EntityPair } from './entity-pairs.ts';

/** What a record of a pair shows of its company. */
type View = (facts: NamedFacts) => NamedFacts;

const NAME_ALONE: View = ({ name, country }) => ({ name, country, identifiers: [], hostnames: [] });
const WITH_FORMER_NAMES: View = ({ formerNames = [], ...facts }) => ({ ...NAME_ALONE(facts), formerNames });
const WITHOUT_FORMER_NAMES: View = ({ formerNames: _, ...facts }) => facts;
const EVERYTHING: View = (facts) => facts;

const VIEWS: readonly (readonly [string, View])[] = [
  ['names alone', NAME_ALONE],
  ['names and former names', WITH_FORMER_NAMES],
  ['names and numbers', WITHOUT_FORMER_NAMES],
  ['names, numbers and former names', EVERYTHING],
];

export interface Filer {
  readonly cik: string;
  readonly name: string;
}

/**
 * A line for every file and way to see its companies: how many of the pairs are merged, and how many of the companies that are
 * others: those of the file within the country, and of a list of filers, whose names share a word.
 */
export function judgeEntityPairs(pairs: readonly EntityPair[], filers: readonly Filer[]): string[] {
  const byFile = [...Map.groupBy(pairs, ({ file }) => file), ['all', pairs] as const];
  const strangers = indexByWord(filers);
  return VIEWS.flatMap(([view, see]) => byFile.map(([file, some]) => judge(`${view}, ${file}`, some, see, strangers)));
}

function judge(name: string, pairs: readonly EntityPair[], see: View, strangers: ReadonlyMap<string, Filer[]>): string {
  const merged = (one: NamedFacts, other: NamedFacts) => resolve(see(one), see(other)) !== undefined;
  const right = pairs.filter(({ one, other }) => merged(one, other)).length;
  const negatives = pairs.flatMap((pair) => [...othersOf(pair, pairs), ...filersBeside(pair, strangers)]);
  const wrong = negatives.filter(([one, other]) => merged(one, other));
  const { low, high } = wilson(right, right + wrong.length);
  const share = (value: number) => value.toFixed(3);
  const figures = `${right} of ${pairs.length} found, recall ${share(right / pairs.length)}; ${wrong.length} of ${negatives.length} others merged`;
  const precision =
    right > 0 ? `, precision ${share(right / (right + wrong.length))} (95 % ${share(low)} to ${share(high)})` : '';
  const shown = wrong.slice(0, 5).map(([one, other]) => `\n  wrong: ${one.name} / ${other.name}`);
  return `${name}: ${figures}${precision}${shown.join('')}`;
}

type Others = readonly (readonly [NamedFacts, NamedFacts])[];

function othersOf(pair: EntityPair, pairs: readonly EntityPair[]): Others {
  return pairs
    .filter(
      (other) => other.one !== pair.one && !isSameCompany(pair, other) && sharesWord(pair.one.name, other.other.name),
    )
    .filter((other) => other.other.country === pair.one.country)
    .map((other) => [pair.one, other.other]);
}

/** A company stands in a file twice, or in two files. */
function isSameCompany(one: EntityPair, other: EntityPair): boolean {
  const numbers = new Set(one.one.identifiers.map(({ scheme, value }) => `${scheme} ${value}`));
  const shared = [...other.one.identifiers, ...other.other.identifiers].some((n) =>
    numbers.has(`${n.scheme} ${n.value}`),
  );
  return shared || (one.cik !== undefined && one.cik === other.cik);
}

function filersBeside(pair: EntityPair, strangers: ReadonlyMap<string, Filer[]>): Others {
  const { cik, one } = pair;
  if (cik === undefined) return [];
  const sharing = new Set(
    [one, pair.other].flatMap(({ name }) => wordsOf(name)).flatMap((word) => strangers.get(word) ?? []),
  );
  return [...sharing]
    .filter((filer) => filer.cik !== cik)
    .map((filer) => [
      one,
      { name: filer.name, country: one.country, identifiers: [{ scheme: 'cik', value: filer.cik }], hostnames: [] },
    ]);
}

function indexByWord(filers: readonly Filer[]): Map<string, Filer[]> {
  const index = new Map<string, Filer[]>();
  for (const filer of filers)
    for (const word of new Set(wordsOf(filer.name))) index.set(word, [...(index.get(word) ?? []), filer]);
  return index;
}

/** Words that companies in common would be known by: four letters at least, no legal form. */
function wordsOf(name: string): string[] {
  return (name.toLowerCase().match(/[a-z]{4,}/g) ?? []).filter(
    (word) => !/^(?:corp|corporation|company|limited|incorporated)$/.test(word),
  );
}

function sharesWord(one: string, other: string): boolean {
  const words = new Set(wordsOf(one));
  return wordsOf(other).some((word) => words.has(word));
}
