import { COUNTRY_NAMES, DEMAND_CLASS_NAMES, KIND_NAMES } from '@ces/proto/catalog';
import Type, { type Static } from 'typebox';
import { closed, Id, Instant, namedChoice, orNull, Text } from './primitives.ts';

export const Kind = namedChoice('Kind', [...KIND_NAMES]);
export const DemandClass = namedChoice('DemandClass', [...DEMAND_CLASS_NAMES]);
export const Country = namedChoice('Country', [...COUNTRY_NAMES]);

const Sector = namedChoice(
  'Sector',
  [
    ...(['11', '21', '22', '23', '31-33', '42', '44-45', '48-49', '51', '52'] as const),
    ...(['53', '54', '55', '56', '61', '62', '71', '72', '81', '92'] as const),
  ],
  'NAICS 2022 sector.',
);

export const Evidence = closed('Evidence', {
  source_uri: Type.String({
    description: 'For company profiles it may be a company homepage, not a verified citation of each field.',
  }),
  excerpt: Type.String({ description: 'Retained supporting text, verbatim.' }),
  occurred_at: orNull(Instant, 'Null for a structural profile without an event date.'),
  observed_at: Instant,
  last_seen_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Latest retrieval of the unchanged source record; not a new event.',
    }),
  ),
});
export type Evidence = Static<typeof Evidence>;

const observationFields = {
  id: Id,
  kind: Kind,
  observed_fact: Text,
  why_it_may_matter: Text,
  demand_class: DemandClass,
  country: Country,
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  occurred_at: orNull(Instant, 'When the event happened; null only for kind `company_profile`.'),
  observed_at: Type.String({ format: 'date-time', description: 'When the service collected the evidence.' }),
  expires_at: orNull(Instant),
  evidence: Type.Array(Evidence),
  categories: Type.Optional(
    Type.Array(Sector, { maxItems: 100, description: 'NAICS 2022 sectors reported by the source itself.' }),
  ),
};

const CompanyReference = closed('CompanyReference', { id: Id, name: Text });

export const SupportingObservation = closed(
  'SupportingObservation',
  observationFields,
  'A dated fact with its evidence, nested under its company.',
);
export type SupportingObservation = Static<typeof SupportingObservation>;

export const Observation = closed(
  'Observation',
  { ...observationFields, company: CompanyReference },
  'A dated fact with its evidence. Structural fit (`company_profile`, `structural`) is not evidence of current buying intent.',
);
export type Observation = Static<typeof Observation>;

export const ObservationDetail = closed('ObservationDetail', { observation: Observation });
export type ObservationDetail = Static<typeof ObservationDetail>;
