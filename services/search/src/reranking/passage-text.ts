import { timestampDate } from '@bufbuild/protobuf/wkt';
import { countryName, kindName } from '@ces/proto/catalog';
import type { CompanyDocument, ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';

/** The text has at most this many UTF-16 units of excerpts. The cross-encoder reads less. */
const EXCERPTS = 500;

/**
 * What the cross-encoder reads of an observation: kind, country, month, the company unless the fact
 * names it, the fact and its excerpts. It was trained on this form (test/lab/model).
 */
export function passageText(
  { kind, country, occurredAt, observedFact, excerpts }: ObservationDocument,
  company: CompanyDocument | undefined,
): string {
  const kindWords = (kindName(kind) ?? '').replaceAll('_', ' ');
  const month = occurredAt ? timestampDate(occurredAt).toISOString().slice(0, 7) : '';
  const name = company && !observedFact.includes(company.name) ? [company.name] : [];
  const head = [kindWords, countryName(country) ?? '', month, ...name].join(', ');
  return `${head}: ${observedFact} ${excerpts.join(' ').slice(0, EXCERPTS)}`.toWellFormed().trim();
}
