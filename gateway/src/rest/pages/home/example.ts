/** Fictional; test/documents/guides.test.ts compares it with a real answer. */
export const EXAMPLE = {
  request: { query: 'cold storage companies opening a warehouse', limit: 1 },
  requestKey: 'plants-1',
  usage: { request_units: 1, delivered_units: 1, fresh_evidence_units: 0 },
  company: 'Norvanfield Cold Storage Inc.',
  domain: 'norvanfield-cold-storage.example',
  observation: {
    kind: 'facility_expansion',
    observed_fact: 'Norvanfield Cold Storage Inc. is expanding its cold storage warehouse in Fresno, California.',
    demand_class: 'proxy',
    country: 'US',
    confidence: 0.7,
    occurred_at: '2026-11-07T23:23:00.000Z',
    observed_at: '2026-11-08T03:04:00.000Z',
  },
  excerpt:
    'Norvanfield Cold Storage Inc. is expanding its cold storage warehouse in Fresno. The project adds 40,000 square feet and 108 jobs over two years.',
} as const;

export const EXAMPLE_COMMAND = `curl "$base_url/api/companies/search" \\
  --header "Authorization: Bearer $api_key" \\
  --header "Idempotency-Key: ${EXAMPLE.requestKey}" \\
  --json '${JSON.stringify(EXAMPLE.request)}'`;
