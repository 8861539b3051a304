import type { CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { Field } from '@ces/proto/ces/search/v1/explanation_pb.ts';
import { writeOutPlaceCodes } from '../text/analyse.ts';
import { wordsOf } from '../text/words.ts';
import type { FieldText } from './find-gains.ts';

export function textsOfObservation(
  document: ObservationDocument | undefined,
  codes: ReadonlyMap<string, string>,
): FieldText[] {
  if (!document) return [];
  const excerpts = document.excerpts.map((excerpt) => fieldText(Field.EXCERPT, excerpt, codes));
  return [fieldText(Field.FACT, document.observedFact, codes), ...excerpts];
}

export function profileOf(document: CompanyDocument | undefined, codes: ReadonlyMap<string, string>): FieldText[] {
  return document ? [fieldText(Field.PROFILE, [document.profile, ...document.otherNames].join('\n'), codes)] : [];
}

/** The name is searched only for quoted phrases. */
export function nameOf(document: CompanyDocument | undefined): FieldText[] {
  return document ? [{ field: Field.NAME, words: wordsOf(document.name) }] : [];
}

function fieldText(field: Field, text: string, codes: ReadonlyMap<string, string>): FieldText {
  return { field, words: wordsOf(writeOutPlaceCodes(text, codes)) };
}
