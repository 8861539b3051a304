import { readFileSync } from 'node:fs';
import type { CountryName } from '@ces/proto/catalog';
import type { NamedFacts } from '../src/matching/company-facts.ts';

/** A pair is judged by hand; unsure means not the same. */
export interface JudgedPair {
  readonly same: boolean;
  readonly stratum: string;
  readonly one: NamedFacts;
  readonly other: NamedFacts;
}

/**
 * The authors of the rules collected `resolution-pairs.tsv`; `drawn-pairs.tsv` is a random sample.
 */
export type PairFile = 'resolution-pairs' | 'drawn-pairs';

export function readPairs(file: PairFile): JudgedPair[] {
  const text = readFileSync(new URL(`./${file}.tsv`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [verdict, stratum = '', ...sides] = line.split(' | ');
    if (sides.length !== 6 || !['same', 'different', 'unsure'].includes(verdict ?? ''))
      throw new Error(`cannot read "${line}"`);
    return { same: verdict === 'same', stratum, one: factsOf(sides.slice(0, 3)), other: factsOf(sides.slice(3)) };
  });
}

function factsOf([country = '', name = '', more = '']: string[]): NamedFacts {
  const words = more.trim() === '-' ? [] : more.trim().split(' ');
  return {
    name,
    country: country as CountryName,
    identifiers: words.filter((word) => word.includes(':')).map(identifierOf),
    hostnames: words.filter((word) => !word.includes(':')).map((hostname) => hostname.replace(/^www\./, '')),
  };
}

function identifierOf(word: string): { scheme: string; value: string } {
  const [scheme = '', value = ''] = word.split(':');
  return { scheme, value };
}
