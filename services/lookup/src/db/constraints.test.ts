import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCompany, anObservation, recordCompanies, recordObservations } from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;
let companyId: bigint;
let observationId: bigint;

beforeAll(async () => {
  service = await startLookup();
  [companyId = 0n] = await recordCompanies(service, [aCompany('a', { hostnames: ['a.example'] })]);
  [observationId = 0n] = await recordObservations(service, [anObservation('one', 'a')]);
});

afterAll(() => service[Symbol.asyncDispose]());

const OBSERVATION = {
  company_id: () => companyId,
  source: "'s'",
  origin: "'s'",
  kind: "'job_posting'",
  demand_class: "'proxy'",
  observed_fact: "'f'",
  why_it_may_matter: "'w'",
  country: "'CA'",
  confidence: '0.5',
  occurred_at: 'now()',
  observed_at: 'now()',
  recorded_at: "'2026-01-01'",
  fact_hash: "sha256('f')",
};

function insertObservation(fields: Partial<Record<string, string>>) {
  const values = { ...OBSERVATION, ...fields };
  const expressions = Object.values(values).map((value) => (typeof value === 'function' ? value() : value));
  return service.owner.query(`insert into observation (${Object.keys(values)}) values (${expressions})`);
}

test('the observation that the cases below spoil is a good one', async () => {
  await expect(insertObservation({})).resolves.toMatchObject({ rowCount: 1 });
  await expect(
    insertObservation({ kind: "'company_profile'", demand_class: "'structural'", occurred_at: 'null' }),
  ).resolves.toMatchObject({ rowCount: 1 });
});

test.each([
  ['observation_demand_class_of_kind', { demand_class: "'explicit_request'" }],
  ['observation_dated', { occurred_at: 'null' }],
  ['observation_kind_known', { kind: "'rumour'" }],
  ['observation_country_known', { country: "'MX'" }],
  ['observation_confidence_range', { confidence: '1.1' }],
  ['observation_confidence_range', { confidence: "'nan'" }],
  ['observation_fact_length', { observed_fact: "''" }],
  ['observation_why_length', { why_it_may_matter: "repeat('x', 2001)" }],
  ['observation_categories_known', { categories: "'{99}'" }],
  ['observation_withdrawn_with_reason', { withdrawn_at: 'now()' }],
  ['observation_unverified_with_reason', { unverified_at: 'now()' }],
  ['observation_taken_down_withdrawn', { take_down_id: '1' }],
  ['observation_fact_hash_length', { fact_hash: "'short'" }],
  ['observation_recorded_whole_ms', { recorded_at: "'2026-01-01 00:00:00.0001'" }],
])('%s keeps a bad observation out', async (constraint, fields) => {
  await expect(insertObservation(fields)).rejects.toMatchObject({ constraint });
});

test.each([
  ['evidence_excerpt_length', "'https://x.example'", "repeat('é', 601)", 'now()', 'null'],
  ['evidence_uri_scheme', "'javascript:x'", "'x'", 'now()', 'null'],
  ['evidence_seen_later', "'https://x.example'", "'x'", "'2026-01-01'", "'2026-01-01'"],
  ['evidence_0_observation_id_passage_key', "'https://source.example/notice'", "'Excerpt of one.'", 'now()', 'null'],
])('%s keeps a bad evidence row out', async (constraint, uri, excerpt, observedAt, lastSeenAt) => {
  await expect(
    service.owner.query(
      `insert into evidence (observation_id, source_uri, excerpt, observed_at, last_seen_at, source, passage_hash)
       values (${observationId}, ${uri}, ${excerpt}, ${observedAt}, ${lastSeenAt}, 's', sha256('p'))`,
    ),
  ).rejects.toMatchObject({ constraint });
});

test.each([
  [
    'observation_company_id_fkey',
    () => `insert into observation (${Object.keys(OBSERVATION)})
             select ${Object.entries(OBSERVATION).map(([name, value]) => (name === 'company_id' ? 'company_id' : value))}
               from unnest('{${companyId},999999}'::bigint[]) as named (company_id)`,
  ],
  [
    'evidence_observation_id_fkey',
    () => `insert into evidence (observation_id, source_uri, excerpt, observed_at, source, passage_hash)
             select id, 'https://x.example/other', 'x', now(), 's', sha256('p')
               from unnest('{${observationId},999999}'::bigint[]) as id`,
  ],
  [
    'domain_support_observation_id_fkey',
    () => `insert into domain_support select id, 999999 from company_domain order by id limit 1`,
  ],
  ['domain_support_company_domain_id_fkey', () => `insert into domain_support values (999999, ${observationId})`],
  ['event_key_observation_id_fkey', () => `insert into event_key values ('permit', 'x', 'job_posting', 999999)`],
])(
  '%s refuses a row with a broken reference, even if other rows of the statement have valid ones',
  async (constraint, statement) => {
    const table = constraint.replace(/_(?:company|observation|company_domain)_id_fkey$/, '');
    await expect(service.owner.query(statement())).rejects.toMatchObject({ code: '23503', constraint, table });
  },
);

test.each([
  'delete from observation where id = $1',
  'delete from company where id = (select company_id from observation where id = $1)',
])('a referenced row cannot be deleted by a role that may delete: %s', async (statement) => {
  await expect(service.owner.query(statement, [observationId])).rejects.toMatchObject({ code: '23503' });
});

test('a passage names its raw record, the text taken from it and what took it, or none of them', async () => {
  const insert = (columns: string, values: string) =>
    service.owner.query(
      `insert into evidence (observation_id, source_uri, excerpt, observed_at, source, passage_hash, ${columns})
       values (${observationId}, 'https://x.example', '${columns}', now(), 's', sha256('p'), ${values})`,
    );
  await expect(insert('raw_record_hash', "sha256('r')")).rejects.toMatchObject({
    constraint: 'evidence_raw_record_whole',
  });
  await expect(
    insert('raw_record_hash, text_hash, extractor_version', "sha256('r'), sha256('t'), 'text/1'"),
  ).resolves.toMatchObject({ rowCount: 1 });
});

test.each([
  [
    'company_merge_of_two',
    "insert into company_merge (company_id, into_id, rule, member_ids) values (1, 1, 'name', '{1}')",
  ],
  [
    'company_merge_moves_itself',
    "insert into company_merge (company_id, into_id, rule, member_ids) values (1, 2, 'name', '{2}')",
  ],
  [
    'company_merge_rule_known',
    "insert into company_merge (company_id, into_id, rule, member_ids) values (1, 2, 'guess', '{1}')",
  ],
  ['do_not_merge_pair_ordered', 'insert into do_not_merge_pair values (2, 1)'],
  ['event_key_scheme_known', "insert into event_key values ('mood', 'x', 'job_posting', 1)"],
  ['take_down_scope_known', "insert into take_down (scope, subject, reason, caller) values ('all', 'x', 'r', 'c')"],
  [
    'take_down_lifted_with_reason',
    "insert into take_down (scope, subject, reason, caller, lifted_at) values ('source', 'x', 'r', 'c', now())",
  ],
  ['source_homepage_scheme', "insert into source values ('n', 't', 'p', 'l', null, 'a', 'javascript:x')"],
  ['audit_of_something', "insert into audit (caller, action) values ('c', 'merge')"],
  ['audit_action_known', "insert into audit (caller, action, source) values ('c', 'sing', 's')"],
])('%s keeps a bad row out', async (constraint, statement) => {
  await expect(service.owner.query(statement)).rejects.toMatchObject({ constraint });
});

test('survivor_id is flat: no company can be merged into one that was merged itself', async () => {
  const [a = 0n, b = 0n, c = 0n] = await recordCompanies(service, [aCompany('x'), aCompany('y'), aCompany('z')]);
  const merge = (from: bigint, into: bigint) =>
    service.owner.query('update company set survivor_id = $2 where id = $1', [from, into]);
  await merge(a, b);
  await expect(merge(c, a)).rejects.toMatchObject({ constraint: 'company_survivor_flat' });
  await expect(merge(b, c)).rejects.toMatchObject({ constraint: 'company_survivor_flat' });
  await expect(merge(a, a)).resolves.toMatchObject({ rowCount: 1 });
});

test('a source key, a hostname and an identifier are unique however they are written', async () => {
  const { owner } = service;
  await recordCompanies(service, [
    aCompany('unique', { hostnames: ['unique.example'], identifiers: [{ scheme: 'cik', value: '1' }] }),
  ]);
  const again = (statement: string) => expect(owner.query(statement)).rejects;
  await again(`insert into company_source_key values ('test-set', 'unique', ${companyId})`).toMatchObject({
    constraint: 'company_source_key_pkey',
  });
  await again(`insert into domain (hostname) values ('unique.example')`).toMatchObject({
    constraint: 'domain_hostname_unique',
  });
  await again(`insert into company_identifier values ('cik', '1', ${companyId})`).toMatchObject({
    constraint: 'company_identifier_pkey',
  });
  await again(
    `insert into source_record values ('test-set', 'one', ${observationId}, decode(repeat('00', 32), 'hex'), now())`,
  ).toMatchObject({ constraint: 'source_record_pkey' });
});

test('the service can neither delete what it recorded nor rewrite the change feed', async () => {
  for (const statement of [
    'delete from observation',
    'delete from evidence',
    'delete from change',
    'update change set company_id = 1',
    'update observation set company_id = 1',
    'update observation set observed_at = now()',
    'update observation set recorded_at = now()',
    'update evidence set excerpt = null',
    'delete from audit',
    'delete from company_merge',
    'update company_merge set member_ids = null',
    'delete from source',
    'delete from take_down',
    'update evidence set passage_hash = null',
    'delete from event_key',
  ])
    await expect(service.pool.query(statement)).rejects.toThrow('permission denied');
});
