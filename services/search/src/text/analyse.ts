import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { factsOfText } from '../facts/facts-of-text.ts';
import { wordsOf } from './words.ts';

/** The projector rewrites rows of a lower version of the analysis. */
export const ANALYSIS_VERSION = 3;

export interface AnalysedText {
  readonly words: string;
  /** `words` with place codes written out and fact lexemes added, for ranking. */
  readonly searchable: string;
  /** Words in `searchable`, without fact lexemes. */
  readonly length: number;
  readonly facts: readonly number[];
}

export function analyseObservation(document: ObservationDocument, codes: ReadonlyMap<string, string>): AnalysedText {
  return analyse([document.observedFact, ...document.excerpts].join('\n'), document.kind, codes);
}

/** Leaves out the current name, which is in the company's observations already. */
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

/** Adds the state's name to "Reno, NV" and "US-NV-Reno", so that a search for Nevada finds them. */
export function writeOutPlaceCodes(text: string, codes: ReadonlyMap<string, string>): string {
  return text.replace(/(?<=,\s?|\b(?:US|CA)-)([A-Z]{2})(?![\p{L}\p{N}])/gu, (code) => {
    const name = codes.get(code);
    return name === undefined ? code : `${code} ${name}`;
  });
}
