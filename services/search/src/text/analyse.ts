import type { CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { wordsOf } from './words.ts';

/** A document as the index keeps it. */
export interface AnalysedText {
  /** Words as they are written, for what must be found literally. */
  readonly words: string;
  /** The same with what codes stand for written out, for ranking. */
  readonly searchable: string;
  /** Words in `searchable`. */
  readonly length: number;
}

/** Fact and excerpts of an observation. */
export function analyseObservation(document: ObservationDocument, codes: ReadonlyMap<string, string>): AnalysedText {
  return analyse([document.observedFact, ...document.excerpts].join('\n'), codes);
}

/** The profile of a company and its other names; its name of today is in its observations already and would count twice. */
export function analyseProfile(document: CompanyDocument, codes: ReadonlyMap<string, string>): AnalysedText {
  return analyse([document.profile, ...document.otherNames].join('\n'), codes);
}

function analyse(text: string, codes: ReadonlyMap<string, string>): AnalysedText {
  const words = wordsOf(text);
  const searchable = wordsOf(writeOutPlaceCodes(text, codes));
  return { words: words.join(' '), searchable: searchable.join(' '), length: searchable.length };
}

/** "Reno, NV" and "US-NV-Reno" lie in Nevada: written out, they are found by that name. */
export function writeOutPlaceCodes(text: string, codes: ReadonlyMap<string, string>): string {
  return text.replace(/(?<=,\s?|\b(?:US|CA)-)([A-Z]{2})(?![\p{L}\p{N}])/gu, (code) => {
    const name = codes.get(code);
    return name === undefined ? code : `${code} ${name}`;
  });
}
