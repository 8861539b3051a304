import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { Field } from '@ces/proto/ces/search/v1/explanation_pb.ts';
import { type AnalysedText, analyseObservation, analyseProfile, writeOutPlaceCodes } from '../text/analyse.ts';
import { lexemeOfWord } from '../text/stem.ts';
import { wordsOf } from '../text/words.ts';

interface Words {
  readonly words: readonly string[];
  /** One for each word; undefined for a stop word. */
  readonly lexemes: readonly (string | undefined)[];
}

export interface FieldText extends Words {
  readonly field: Field;
}

/** The text that an index scores, and its fields. */
export interface DocumentText extends Words {
  readonly kind: Kind;
  /** In words, as the index counts them. */
  readonly length: number;
  readonly fields: readonly FieldText[];
}

type PlaceCodes = ReadonlyMap<string, string>;

export function textOfObservation(document: ObservationDocument, codes: PlaceCodes): DocumentText {
  const excerpts = document.excerpts.map((excerpt) => fieldText(Field.EXCERPT, excerpt, codes));
  const fields = [fieldText(Field.FACT, document.observedFact, codes), ...excerpts];
  return documentText(analyseObservation(document, codes), document.kind, fields);
}

export function textOfProfile(document: CompanyDocument, codes: PlaceCodes): DocumentText {
  const fields = [fieldText(Field.PROFILE, [document.profile, ...document.otherNames].join('\n'), codes)];
  return documentText(analyseProfile(document, codes), Kind.UNSPECIFIED, fields);
}

/** The name is searched only for quoted phrases. */
export function textOfName({ name }: CompanyDocument): FieldText {
  return { field: Field.NAME, ...withLexemes(wordsOf(name)) };
}

function documentText({ searchable, length }: AnalysedText, kind: Kind, fields: readonly FieldText[]): DocumentText {
  return { kind, length, fields, ...withLexemes(searchable.split(' ')) };
}

function fieldText(field: Field, text: string, codes: PlaceCodes): FieldText {
  return { field, ...withLexemes(wordsOf(writeOutPlaceCodes(text, codes))) };
}

function withLexemes(words: readonly string[]): Words {
  return { words, lexemes: words.map(lexemeOfWord) };
}
