import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { factsOfText } from '../facts/facts-of-text.ts';
import { wordsOf } from './words.ts';

/** Version of all that is made of a text here: rows of a lower one are written anew. */
export const ANALYSIS_VERSION = 3;

/** A document as the index keeps it. */
export interface AnalysedText {
  /** Words as they are written, for what must be found literally. */
  readonly words: string;
  /** The same with what codes stand for written out, for ranking. */
  readonly searchable: string;
  /** Words in `searchable`, without those that say its facts. */
  readonly length: number;
  /** Codes of its facts, in order. */
  readonly facts: readonly number[];
}

/** Fact and excerpts of an observation. */
export function analyseObservation(document: ObservationDocument, codes: ReadonlyMap<string, string>): AnalysedText {
  return analyse([document.observedFact, ...document.excerpts].join('\n'), document.kind, codes);
}

/** The profile of a company and its other names; its name of today is in its observations already and would count twice. */
export function analyseProfile(document: CompanyDocument, codes: ReadonlyMap<string, string>): AnalysedText {
  return analyse([document.profile, ...document.otherNames].join('\n'), Kind.COMPANY_PROFILE, codes);
}

function analyse(text: string, kind: Kind, codes: ReadonlyMap<string, string>): AnalysedText {
  const words = wordsOf(text);
  const writtenOut = writeOutPlaceCodes(text, codes);
  const searchable = writtenOut === text ? words : wordsOf(writtenOut);
  const facts = factsOfText(text, kind);
  return {
    words: words.join(' '),
    searchable: [...searchable, ...facts.lexemes].join(' '),
    length: searchable.length,
    facts: facts.codes,
  };
}

/** "Reno, NV" and "US-NV-Reno" lie in Nevada: written out, they are found by that name. */
export function writeOutPlaceCodes(text: string, codes: ReadonlyMap<string, string>): string {
  return text.replace(/(?<=,\s?|\b(?:US|CA)-)([A-Z]{2})(?![\p{L}\p{N}])/gu, (code) => {
    const name = codes.get(code);
    return name === undefined ? code : `${code} ${name}`;
  });
}
