import { countryName, demandClassName, kindName } from '@ces/proto/catalog';
import type {
  DemandClass,
  Evidence as EvidenceMessage,
  Observation as ObservationMessage,
} from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Evidence, Observation, SupportingObservation } from '../schema/observation.ts';
import { formatInstant, formatInstantOrNull, requireValue } from './values.ts';

export function renderObservation(observation: ObservationMessage): Observation {
  const company = requireValue(observation.company, 'company of an observation');
  return { ...renderSupportingObservation(observation), company: { id: Number(company.id), name: company.name } };
}

export function renderSupportingObservation(observation: ObservationMessage): SupportingObservation {
  return {
    id: Number(observation.id),
    kind: requireValue(kindName(observation.kind), 'kind of an observation'),
    observed_fact: observation.observedFact,
    why_it_may_matter: observation.whyItMayMatter,
    demand_class: renderDemandClass(observation.demandClass),
    country: requireValue(countryName(observation.country), 'country of an observation'),
    confidence: observation.confidence,
    occurred_at: formatInstantOrNull(observation.occurredAt),
    observed_at: formatInstant(observation.observedAt, 'observed_at'),
    expires_at: formatInstantOrNull(observation.expiresAt),
    evidence: observation.evidence.map(renderEvidence),
    ...(observation.categories.length > 0 && {
      categories: observation.categories as NonNullable<SupportingObservation['categories']>,
    }),
  };
}

export function renderDemandClass(demandClass: DemandClass): SupportingObservation['demand_class'] {
  return requireValue(demandClassName(demandClass), 'demand class');
}

function renderEvidence(evidence: EvidenceMessage): Evidence {
  return {
    source_uri: evidence.sourceUri,
    excerpt: evidence.excerpt,
    occurred_at: formatInstantOrNull(evidence.occurredAt),
    observed_at: formatInstant(evidence.observedAt, 'observed_at of evidence'),
    ...(evidence.lastSeenAt && { last_seen_at: formatInstant(evidence.lastSeenAt, 'last_seen_at') }),
  };
}
