import { createHash } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { CompanyRecordSchema, ObservationRecordSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { TestStack } from './stack.ts';

export type CompanyInput = MessageInitShape<typeof CompanyRecordSchema> & { readonly key: string };
export type ObservationInput = MessageInitShape<typeof ObservationRecordSchema> & {
  readonly key: string;
  readonly companyKey: string;
};

export interface Recorded {
  readonly companies: Readonly<Record<string, number>>;
  readonly observations: Readonly<Record<string, number>>;
}

const SOURCE = 'test';

/** Records companies and observations with defaults and waits until search can find them. */
export async function recordEvidence(
  stack: Pick<TestStack, 'record' | 'untilIndexed'>,
  companies: readonly CompanyInput[],
  observations: readonly ObservationInput[],
): Promise<Recorded> {
  const made = await stack.record.recordCompanies({ source: SOURCE, companies: companies.map(companyRecord) });
  const seen = await stack.record.recordEvidence({ source: SOURCE, observations: observations.map(observationRecord) });
  for (const { reason } of [...made.companies, ...seen.observations]) if (reason) throw new Error(reason);
  await stack.untilIndexed(seen.tx);
  return {
    companies: Object.fromEntries(companies.map((company, at) => [company.key, Number(made.companies[at]?.companyId)])),
    observations: Object.fromEntries(
      observations.map((observation, at) => [observation.key, Number(seen.observations[at]?.observationId)]),
    ),
  };
}

/** `count` companies `c1`…, each with one facility expansion `o1`… that contains `words`. */
export function facilities(
  count: number,
  words: string,
): { companies: CompanyInput[]; observations: ObservationInput[] } {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return {
    companies: numbers.map((n) => ({ key: `c${n}`, name: `Northwind ${n} Ltd`, hostnames: [`northwind${n}.example`] })),
    observations: numbers.map((n) => ({
      key: `o${n}`,
      companyKey: `c${n}`,
      kind: Kind.FACILITY_EXPANSION,
      observedFact: `Northwind ${n} opens a ${words}${' line'.repeat(n)}`,
    })),
  };
}

export function daysAgo(days: number): Timestamp {
  return timestampFromDate(new Date(Date.now() - days * 86_400_000));
}

export function companyRecord(company: CompanyInput): MessageInitShape<typeof CompanyRecordSchema> {
  return { name: `Company ${company.key}`, country: Country.CA, ...company };
}

export function observationRecord(observation: ObservationInput): MessageInitShape<typeof ObservationRecordSchema> {
  const fact = observation.observedFact ?? `Fact ${observation.key}`;
  const kind = observation.kind ?? Kind.FACILITY_EXPANSION;
  const occurred = kind === Kind.COMPANY_PROFILE ? {} : { occurredAt: daysAgo(3) };
  const record = {
    kind,
    observedFact: fact,
    whyItMayMatter: 'A site that grows buys construction, equipment and services.',
    country: Country.CA,
    confidence: 0.9,
    ...occurred,
    observedAt: daysAgo(1),
    evidence: [
      {
        sourceUri: `https://source.example/${observation.key}`,
        excerpt: `${fact}.`,
        ...occurred,
        observedAt: daysAgo(1),
      },
    ],
    ...observation,
  };
  return { contentHash: createHash('sha256').update(`${fact} ${kind}`).digest(), ...record };
}
