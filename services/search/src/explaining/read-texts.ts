import { create } from '@bufbuild/protobuf';
import { CompanyDocumentSchema, ObservationDocumentSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { readCompanies, readObservations } from '../changes/read-documents.ts';
import { distinct } from '../changes/read-page.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RankedHit } from '../ranking/ranking.ts';
import { textOfObservation, textOfProfile } from './document-text.ts';

/** Returns the texts of a hit. A document that is gone has none. */
export async function readTexts(
  { lookup, vocabulary: { placeCodes } }: Pick<Dependencies, 'lookup' | 'vocabulary'>,
  hits: readonly RankedHit[],
) {
  const [companies, observations] = await Promise.all([
    readCompanies(lookup, distinct(hits.map(({ companyId }) => companyId))),
    readObservations(lookup, distinct(hits.map(({ observationId }) => observationId))),
  ]);
  const companyOf = new Map(companies.map((document) => [document.id, document]));
  const observationOf = new Map(observations.map((document) => [document.id, document]));
  return ({ companyId, observationId }: RankedHit) => {
    const company = companyOf.get(companyId) ?? create(CompanyDocumentSchema);
    const observation = observationOf.get(observationId) ?? create(ObservationDocumentSchema);
    return { company, own: textOfObservation(observation, placeCodes), profile: textOfProfile(company, placeCodes) };
  };
}
