import { createReadStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  type CompanyDocument,
  CompanyDocumentSchema,
  type ObservationDocument,
  ObservationDocumentSchema,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';

export interface JudgedQuery {
  readonly query_id: string;
  readonly query: string;
  readonly family: string;
  readonly filters: { readonly kinds?: string[]; readonly countries?: string[]; readonly occurred_after?: string };
  readonly pool: { readonly source: string; readonly kind: string };
  readonly relevant_company_ids: readonly number[];
  readonly relevant_observation_ids: readonly number[];
}

export type FilteredQuery = Pick<JudgedQuery, 'query' | 'filters'>;

interface CorpusObservation {
  readonly id: number;
  readonly company: { readonly id: number };
  readonly kind: string;
  readonly country: string;
  readonly observed_fact: string;
  readonly occurred_at: string | null;
  readonly observed_at: string;
  readonly evidence: readonly { readonly excerpt: string }[];
  readonly meta: { readonly source: string };
}

interface CorpusCompany {
  readonly id: number;
  readonly name: string;
  readonly country: string;
  readonly domains: readonly { readonly hostname: string }[];
}

/** A data set in the form that lookup sends to the index, without classification fields. */
export interface Corpus {
  readonly observations: readonly ObservationDocument[];
  readonly companies: readonly CompanyDocument[];
  readonly byId: ReadonlyMap<bigint, ObservationDocument>;
}

const EXCERPT_CODE_POINTS = 600;

export async function readCorpus(directory: string): Promise<Corpus> {
  const profiles = new Map<number, string[]>();
  const observations: ObservationDocument[] = [];
  for await (const line of linesOf<CorpusObservation>(path.join(directory, 'observations.jsonl.gz'))) {
    const document = observationDocument(line);
    observations.push(document);
    if (document.kind === Kind.COMPANY_PROFILE)
      profiles.set(line.company.id, [...(profiles.get(line.company.id) ?? []), ...profileTexts(document)]);
  }
  const companies: CompanyDocument[] = [];
  for await (const line of linesOf<CorpusCompany>(path.join(directory, 'companies.jsonl.gz')))
    companies.push(companyDocument(line, profiles.get(line.id) ?? []));
  return { observations, companies, byId: new Map(observations.map((document) => [document.id, document])) };
}

/** Reads a file of one JSON object a line. */
export function readLines<T>(file: string): T[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as T);
}

export function kindNamed(name: string): Kind {
  return Kind[name.toUpperCase() as keyof typeof Kind];
}

function observationDocument(line: CorpusObservation): ObservationDocument {
  return create(ObservationDocumentSchema, {
    id: BigInt(line.id),
    version: 1n,
    companyId: BigInt(line.company.id),
    kind: kindNamed(line.kind),
    country: Country[line.country as keyof typeof Country],
    observedFact: line.observed_fact,
    excerpts: line.evidence.slice(0, 10).map((row) => cutExcerpt(row.excerpt)),
    observedAt: timestampFromDate(new Date(line.observed_at)),
    recordedAt: timestampFromDate(new Date(line.observed_at)),
    ...(line.occurred_at && { occurredAt: timestampFromDate(new Date(line.occurred_at)) }),
    origin: line.meta.source,
  });
}

function companyDocument(line: CorpusCompany, profile: readonly string[]): CompanyDocument {
  return create(CompanyDocumentSchema, {
    id: BigInt(line.id),
    version: 1n,
    name: line.name,
    country: Country[line.country as keyof typeof Country],
    survivorId: BigInt(line.id),
    domains: line.domains.map(({ hostname }) => ({ hostname })),
    profile: profile.join('\n\n'),
  });
}

function profileTexts(document: ObservationDocument): string[] {
  return [document.observedFact, ...document.excerpts];
}

/**
 * Cuts at the last word boundary within 600 code points, as the import does
 * (gateway/docs/contract.md, Record and evidence).
 */
function cutExcerpt(text: string): string {
  const points = [...text];
  if (points.length <= EXCERPT_CODE_POINTS) return text;
  const head = points.slice(0, EXCERPT_CODE_POINTS + 1).join('');
  return head.slice(0, head.search(/\s\S*$/)).trimEnd();
}

async function* linesOf<T>(file: string): AsyncGenerator<T> {
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
  for await (const line of lines) if (line) yield JSON.parse(line) as T;
}
