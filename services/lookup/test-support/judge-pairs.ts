import { isIdentifierScheme, normalIdentifier } from '@ces/proto/registry-identifier';
import { factsOf, type NamedFacts, type RegistryIdentifier } from '../src/matching/company-facts.ts';
import { CompanyGroups, type Merge } from '../src/matching/company-groups.ts';
import { loadResolutionVocabulary } from '../src/matching/vocabulary.ts';
import { type JudgedPair, type PairFile, readPairs } from './resolution-pairs.ts';

/** `merge` is undefined if the rules keep two companies. */
export interface Judgement {
  readonly pair: JudgedPair;
  readonly merge: Merge | undefined;
}

const vocabulary = loadResolutionVocabulary();

export function judgePairs(file: PairFile): Judgement[] {
  return readPairs(file).map((pair) => ({ pair, merge: resolve(pair.one, pair.other) }));
}

export function resolve(one: NamedFacts, other: NamedFacts): Merge | undefined {
  const groups = new CompanyGroups(vocabulary, [], []);
  groups.add(1n, factsFor(one));
  groups.add(2n, factsFor(other));
  return groups.merges[0];
}

export interface Figures {
  readonly precision: number;
  readonly line: string;
}

export function figuresOf(file: PairFile, judgements: readonly Judgement[]): Figures[] {
  const strata = Map.groupBy(judgements, ({ pair }) => pair.stratum);
  return [...[...strata].map(([name, some]) => figures(`${file}, ${name}`, some)), figures(`${file}, all`, judgements)];
}

function figures(name: string, some: readonly Judgement[]): Figures {
  const merged = some.filter(({ merge }) => merge);
  const right = merged.filter(({ pair }) => pair.same).length;
  const same = some.filter(({ pair }) => pair.same).length;
  const { low, high } = wilson(right, merged.length);
  const precision = right / merged.length;
  const share = (value: number) => value.toFixed(3);
  const interval = `95 % ${share(low)} to ${share(high)}`;
  const line = `${name}: ${some.length} pairs, ${merged.length} merged, precision ${share(precision)} (${interval}), recall ${share(right / same)}`;
  return { precision, line };
}

/** The 95 % Wilson score interval of `hits` out of `total`. */
function wilson(hits: number, total: number): { readonly low: number; readonly high: number } {
  const z = 1.959964;
  const share = hits / total;
  const middle = share + z ** 2 / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  const scale = 1 + z ** 2 / total;
  return { low: (middle - spread) / scale, high: (middle + spread) / scale };
}

function factsFor(side: NamedFacts) {
  return factsOf(vocabulary, { ...side, identifiers: side.identifiers.map(compared) });
}

function compared({ scheme, value }: RegistryIdentifier): RegistryIdentifier {
  const normal = isIdentifierScheme(scheme) ? normalIdentifier(scheme, value) : undefined;
  if (normal === undefined) throw new Error(`${scheme}:${value} is no number`);
  return { scheme, value: normal };
}
