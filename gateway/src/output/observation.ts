import {
  Country,
  DemandClass,
  type Evidence as EvidenceMessage,
  Kind,
  type Observation as ObservationMessage,
} from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Evidence, Observation, SupportingObservation } from '../schema/observation.ts';
import { instant, instantOrNull, present } from './values.ts';

const KINDS = {
  [Kind.PROCUREMENT_REQUEST]: 'procurement_request',
  [Kind.FACILITY_EXPANSION]: 'facility_expansion',
  [Kind.FUNDING_ROUND]: 'funding_round',
  [Kind.LEADERSHIP_CHANGE]: 'leadership_change',
  [Kind.PRODUCT_LAUNCH]: 'product_launch',
  [Kind.PARTNERSHIP]: 'partnership',
  [Kind.TECHNOLOGY_USE]: 'technology_use',
  [Kind.JOB_POSTING]: 'job_posting',
  [Kind.COMPANY_PROFILE]: 'company_profile',
} as const;

const DEMAND_CLASSES = {
  [DemandClass.EXPLICIT_REQUEST]: 'explicit_request',
  [DemandClass.PROXY]: 'proxy',
  [DemandClass.STRUCTURAL]: 'structural',
} as const;

const COUNTRIES = { [Country.CA]: 'CA', [Country.US]: 'US' } as const;

/** An observation with its company. */
export function renderObservation(observation: ObservationMessage): Observation {
  const company = present(observation.company, 'company of an observation');
  return { ...renderSupportingObservation(observation), company: { id: Number(company.id), name: company.name } };
}

/** An observation as it stands nested under its company. */
export function renderSupportingObservation(observation: ObservationMessage): SupportingObservation {
  return {
    id: Number(observation.id),
    kind: KINDS[observation.kind as keyof typeof KINDS],
    observed_fact: observation.observedFact,
    why_it_may_matter: observation.whyItMayMatter,
    demand_class: renderDemandClass(observation.demandClass),
    country: COUNTRIES[observation.country as keyof typeof COUNTRIES],
    confidence: observation.confidence,
    occurred_at: instantOrNull(observation.occurredAt),
    observed_at: instant(observation.observedAt, 'observed_at'),
    expires_at: instantOrNull(observation.expiresAt),
    evidence: observation.evidence.map(renderEvidence),
    ...(observation.categories.length > 0 && {
      categories: observation.categories as NonNullable<SupportingObservation['categories']>,
    }),
  };
}

export function renderDemandClass(demandClass: DemandClass): SupportingObservation['demand_class'] {
  return DEMAND_CLASSES[demandClass as keyof typeof DEMAND_CLASSES];
}

function renderEvidence(evidence: EvidenceMessage): Evidence {
  return {
    source_uri: evidence.sourceUri,
    excerpt: evidence.excerpt,
    occurred_at: instantOrNull(evidence.occurredAt),
    observed_at: instant(evidence.observedAt, 'observed_at of evidence'),
    ...(evidence.lastSeenAt && { last_seen_at: instant(evidence.lastSeenAt, 'last_seen_at') }),
  };
}
