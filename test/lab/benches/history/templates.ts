import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '@ces/cli/refusal';
import type pg from 'pg';
import type { Payer } from './accounts.ts';
import type { Databases } from './system.ts';

export interface Subject {
  readonly companyId: number;
  readonly hostname: string;
}

export interface PublicCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly requestKey?: string;
}

/** One real metered call. Generated operations copy its rows. */
export interface Template {
  readonly call: PublicCall;
}

export const QUERIES = [
  'warehouse expansion',
  'cold storage',
  'software tender',
  'hiring welders',
  'new plant in Ohio',
];
export const SEARCHES = 30;
const COMPANY_LOOK_UPS = 60;
const OBSERVATION_LOOK_UPS = 10;
const [PAGE, SHORTLIST] = [5, 20];
const SUBJECTS = 200;
const POLL_MS = 20;

/** Companies of the sample with a website of their own. The order does not depend on the ids. */
export async function findSubjects(databases: Databases): Promise<Subject[]> {
  await using lookup = await databases.connect('lookup');
  const { rows } = await lookup.query<{ id: string; hostname: string }>(
    `select min(c.survivor_id)::text as id, d.hostname
     from domain d join company_domain cd on cd.domain_id = d.id join company c on c.id = cd.company_id
     where cd.source = 'sample' and exists (
       select from domain_support s join observation o on o.id = s.observation_id
       where s.company_domain_id = cd.id and o.withdrawn_at is null)
     group by d.hostname having count(distinct c.survivor_id) = 1
     order by d.hostname limit $1`,
    [SUBJECTS],
  );
  return rows.map(({ id, hostname }) => ({ companyId: Number(id), hostname }));
}

export async function makeTemplates(
  databases: Databases,
  baseUrl: string,
  payer: Payer,
  subjects: readonly Subject[],
): Promise<Template[]> {
  const templates: Template[] = [];
  await using operations = await databases.connect('operations');
  for (const call of templateCalls(subjects)) {
    const answer = await send(baseUrl, payer.token, { ...call, requestKey: randomUUID() });
    const text = await answer.text();
    if (!answer.ok) throw new Refusal(`${call.method} ${call.path} was answered ${answer.status}: ${text}`);
    templates.push({ call });
  }
  await untilDelivered(operations, payer);
  return templates;
}

export function send(baseUrl: string, token: string | undefined, call: PublicCall): Promise<Response> {
  const { method, path, body, requestKey } = call;
  return fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(requestKey !== undefined && { 'idempotency-key': requestKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

function templateCalls(subjects: readonly Subject[]): PublicCall[] {
  const at = (index: number) => subjects[index % subjects.length] ?? { companyId: 1, hostname: '' };
  const since = '2020-01-01T00:00:00Z';
  return [
    ...Array.from({ length: SEARCHES }, (_, index): PublicCall => {
      const query = `${QUERIES[index % QUERIES.length]}${index < QUERIES.length ? '' : ` ${index}`}`;
      return { method: 'POST', path: '/api/companies/search', body: { query, limit: PAGE, target: SHORTLIST } };
    }),
    ...Array.from({ length: COMPANY_LOOK_UPS }, (_, index): PublicCall => {
      return { method: 'GET', path: `/api/companies?ids[]=${at(index).companyId}` };
    }),
    ...Array.from({ length: OBSERVATION_LOOK_UPS }, (_, index): PublicCall => {
      return { method: 'GET', path: `/api/observations?domains[]=${at(index).hostname}&since=${since}` };
    }),
  ];
}

/** The answer arrives before the operation is marked as delivered with its units. */
async function untilDelivered(operations: pg.Client, { accountId }: Payer): Promise<void> {
  for (;;) {
    const { rowCount } = await operations.query(
      `select from operation where account_id = ${accountId} and state <> 'delivered' limit 1`,
    );
    if (rowCount === 0) return;
    await pause(POLL_MS);
  }
}
