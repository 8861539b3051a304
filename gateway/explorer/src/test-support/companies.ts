import type { CompanyMatch, SupportingObservation } from '../session/client.ts';

/** An observation with one piece of evidence, for tests of how it is shown. */
export function observationOf(
  part: Partial<SupportingObservation> = {},
  excerpt = 'An excerpt.',
): SupportingObservation {
  return {
    id: 1,
    kind: 'facility_expansion',
    observed_fact: 'Ann Co opens a plant.',
    why_it_may_matter: 'It buys.',
    demand_class: 'proxy',
    country: 'US',
    confidence: 0.7,
    occurred_at: '2026-11-10T00:00:00.000Z',
    observed_at: '2026-11-12T00:00:00.000Z',
    expires_at: null,
    evidence: [
      {
        source_uri: 'https://ann.example/news',
        excerpt,
        occurred_at: '2026-11-10T00:00:00.000Z',
        observed_at: '2026-11-12T00:00:00.000Z',
      },
    ],
    ...part,
  };
}

export function matchOf(
  id: number,
  name: string,
  observations: readonly SupportingObservation[] = [observationOf()],
): CompanyMatch {
  return {
    id,
    name,
    domains: [],
    limitations: [],
    demand_class: 'proxy',
    why_it_may_matter: 'It buys.',
    match: { query: 'plant', observation_ids: observations.map((observation) => observation.id) },
    observations: [...observations],
  };
}
