import { create } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  type CountryName,
  countryOf,
  type DemandClassName,
  demandClassNamed,
  type KindName,
  kindOf,
} from '@ces/proto/catalog';
import {
  type Company,
  CompanySchema,
  type Evidence,
  EvidenceSchema,
  type Observation,
  ObservationSchema,
} from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { visibleText } from '@ces/proto/visible-text';

/** gateway/docs/contract.md, Record and evidence. */
const MAX_EVIDENCE = 10;

/**
 * Not withdrawn, verified, not expired at the SQL expression `judged`, with active evidence.
 * `offset 0` forces a look-up by key for each.
 */
export function deliverable(judged: string): string {
  return `(${current(judged)}
    and exists (select 1 from evidence active where active.observation_id = o.id and active.withdrawn_at is null offset 0))`;
}

/** For statements with RENDERED_FROM, which read the active evidence anyway. */
export function renderedDeliverable(judged: string): string {
  return `(${current(judged)} and passages.evidence is not null)`;
}

function current(judged: string): string {
  return `o.withdrawn_at is null and o.unverified_at is null and (o.expires_at is null or o.expires_at > ${judged})`;
}

/** SQL: one canonical company now. Reads nothing if the ids are equal. */
export function sameCompany(one: string, other: string): string {
  return `(${one} = ${other}
    or (select survivor_id from company where id = ${one}) = (select survivor_id from company where id = ${other}))`;
}

export const RENDERED_COLUMNS = `
  o.id, o.kind, o.demand_class, o.observed_fact, o.why_it_may_matter, o.country, o.confidence, o.occurred_at,
  o.observed_at, o.expires_at, o.categories, passages.evidence, supported.domains`;

/** Use it with COMPANY_FROM, unless the canonical company is read otherwise. */
export const COMPANY_COLUMNS = 'named.id as company_id, named.name as company_name';

export const COMPANY_FROM = `
  join company own on own.id = o.company_id
  join company named on named.id = own.survivor_id`;

/** Newest evidence first. Domains may be of a company that was split off since. */
export const RENDERED_FROM = `
  cross join lateral (
    select json_agg(json_build_object(
             'id', e.id, 'source_uri', e.source_uri, 'excerpt', e.excerpt, 'occurred_ms', ${epochMs('e.occurred_at')},
             'observed_ms', ${epochMs('e.observed_at')}, 'last_seen_ms', ${epochMs('e.last_seen_at')})
           order by e.observed_at desc, e.id desc) as evidence
      from (select * from evidence where observation_id = o.id and withdrawn_at is null
             order by observed_at desc, id desc limit ${MAX_EVIDENCE}) e) passages
  cross join lateral (
    select json_agg(json_build_object('id', d.id, 'hostname', d.hostname)) as domains
      from domain_support s
      join company_domain cd on cd.id = s.company_domain_id
      join domain d on d.id = cd.domain_id
     where s.observation_id = o.id and ${sameCompany('cd.company_id', 'o.company_id')}) supported`;

export interface RenderedRow {
  readonly id: bigint;
  readonly kind: KindName;
  readonly demand_class: DemandClassName;
  readonly observed_fact: string;
  readonly why_it_may_matter: string;
  readonly country: CountryName;
  readonly confidence: number;
  readonly occurred_at: Date | null;
  readonly observed_at: Date;
  readonly expires_at: Date | null;
  readonly categories: string[];
  readonly company_id: bigint;
  readonly company_name: string;
  readonly evidence: EvidenceJson[];
  readonly domains: { readonly id: number; readonly hostname: string }[] | null;
}

export interface EvidenceJson {
  readonly id: number;
  readonly source_uri: string;
  readonly excerpt: string;
  readonly occurred_ms: number | null;
  readonly observed_ms: number;
  readonly last_seen_ms: number | null;
}

/** Texts may have been recorded with hidden characters (promise S18). */
export function toObservation(row: RenderedRow): Observation {
  return create(ObservationSchema, {
    id: row.id,
    kind: kindOf(row.kind),
    observedFact: visibleText(row.observed_fact),
    whyItMayMatter: visibleText(row.why_it_may_matter),
    demandClass: demandClassNamed(row.demand_class),
    country: countryOf(row.country),
    confidence: row.confidence,
    ...(row.occurred_at && { occurredAt: timestampFromDate(row.occurred_at) }),
    observedAt: timestampFromDate(row.observed_at),
    ...(row.expires_at && { expiresAt: timestampFromDate(row.expires_at) }),
    evidence: row.evidence.map(toEvidence),
    categories: row.categories,
    company: { id: row.company_id, name: visibleText(row.company_name) },
  });
}

export function toCompany(id: bigint, name: string, rows: readonly RenderedRow[]): Company {
  const domains = new Map(rows.flatMap((row) => row.domains ?? []).map((domain) => [domain.hostname, domain.id]));
  const byHostname = [...domains].sort(([a], [b]) => (a < b ? -1 : 1));
  return create(CompanySchema, {
    id,
    name: visibleText(name),
    domains: byHostname.map(([hostname, domainId]) => ({ id: BigInt(domainId), hostname })),
    observations: rows.map(toObservation),
  });
}

/** Doubles are exact to the microsecond, and several times cheaper than numerics. */
export function epochMs(column: string): string {
  return `floor(round(date_part('epoch', ${column}) * 1e6) / 1e3)`;
}

function toEvidence(evidence: EvidenceJson): Evidence {
  return create(EvidenceSchema, { id: BigInt(evidence.id), ...evidenceFields(evidence) });
}

export function evidenceFields(evidence: EvidenceJson) {
  return {
    sourceUri: visibleText(evidence.source_uri),
    excerpt: visibleText(evidence.excerpt),
    ...(evidence.occurred_ms !== null && { occurredAt: timestampFromMs(evidence.occurred_ms) }),
    observedAt: timestampFromMs(evidence.observed_ms),
    ...(evidence.last_seen_ms !== null && { lastSeenAt: timestampFromMs(evidence.last_seen_ms) }),
  };
}
