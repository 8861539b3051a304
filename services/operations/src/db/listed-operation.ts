import type { Queryable } from '@ces/chassis/postgres/pool';
import type { ActionName } from '../input/form.ts';
import { isEnded, type OperationState, type OperationUnits, type Payment } from '../model/operation.ts';
import { microsToText } from '../time.ts';

export interface ListedOperation {
  readonly id: bigint;
  readonly identity: string;
  readonly action: ActionName;
  readonly requestKey: string;
  readonly state: OperationState;
  readonly payment: Payment;
  readonly units: OperationUnits;
  readonly query: string | undefined;
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
  readonly failure: { readonly code: string; readonly message: string } | undefined;
}

export interface ListFilter {
  readonly accountId: bigint;
  readonly actions: readonly ActionName[];
  readonly states: readonly OperationState[];
  /** RFC 3339, inclusive. */
  readonly since: string;
  /** RFC 3339, exclusive; absent: no end. */
  readonly until: string | undefined;
}

/** Microseconds since 1970. */
export interface ListPosition {
  readonly createdAt: bigint;
  readonly id: bigint;
}

export interface ListPage {
  readonly operations: readonly ListedOperation[];
  /** Where the next page begins; undefined after the last one. */
  readonly next: ListPosition | undefined;
}

/** Any number of rows may be in other states. */
export const MOST_EXAMINED = 2_000;

/**
 * Newest first. A page may be short and still have a next page, when most examined rows are in
 * other states. The cost does not grow with the history (decision 0008).
 */
export async function listOperations(
  db: Queryable,
  filter: ListFilter,
  after: ListPosition | undefined,
  limit: number,
): Promise<ListPage> {
  const onlyOpen = filter.states.every((state) => !isEnded(state));
  const values = [
    filter.accountId,
    filter.actions,
    filter.states,
    filter.since,
    filter.until ?? 'infinity',
    after ? microsToText(after.createdAt) : 'infinity',
    after?.id ?? 0n,
    limit + 1,
  ];
  const { rows } = onlyOpen
    ? await db.query<ListedRow>(OPEN, values)
    : await db.query<ListedRow>(ofStreams(filter.states), values);
  return toPage(rows, limit);
}

const BETWEEN = `
  o.created_at >= $4::timestamptz and o.created_at < $5::timestamptz and (o.created_at, o.id) < ($6::timestamptz, $7::bigint)`;
const COLUMNS = `
  o.id, o.identity, o.action, o.request_key, o.state, o.payment, o.request_units, o.delivered_units, o.fresh_evidence_units,
  o.normal_form ->> 'query' as query, o.created_at, (extract(epoch from o.created_at) * 1000000)::bigint as created_micros,
  o.finished_at, o.failure_code, o.failure_message`;

/**
 * Operations that have not ended have a job. `offset 0` forces a lookup of each by id: the
 * planner's estimates make a scan of the whole history look cheaper.
 */
const OPEN = `
  with open as materialized (
    select operation_id from job where ready and queue in ('run', 'quarantine', 'sources', 'step') and account_id = $1
    union all
    select operation_id from job where not ready and (account_id = $1 or account_id is null)
  )
  select ${COLUMNS}, true as matches, 0 as examined
  from open
  cross join lateral (select * from operation where id = open.operation_id offset 0) o
  where o.account_id = $1 and o.action = any ($2) and o.state = any ($3) and ${BETWEEN}
  order by o.created_at desc, o.id desc
  limit $8`;

/** Reads each action from its newest row. No page goes beyond the last row examined. */
function ofStreams(states: readonly OperationState[]): string {
  const failedAlone = states.every((state) => state === 'failed');
  return `
    select s.*
    from unnest($2::text[]) as wanted (action)
    cross join lateral (
      select *
      from (
        select ${COLUMNS}, o.state = any ($3) as matches, row_number() over (order by o.created_at desc, o.id desc) as examined
        from operation o
        where o.account_id = $1 and o.action = wanted.action and ${BETWEEN} ${failedAlone ? 'and o.failure_code is not null' : ''}
        order by o.created_at desc, o.id desc
        limit ${MOST_EXAMINED}
      ) looked_at
      where looked_at.matches or looked_at.examined = ${MOST_EXAMINED}
      order by looked_at.created_at desc, looked_at.id desc
      limit $8
    ) s
    order by s.created_at desc, s.id desc
    limit $8`;
}

function toPage(rows: readonly ListedRow[], limit: number): ListPage {
  const operations: ListedOperation[] = [];
  for (const [index, row] of rows.entries()) {
    if (row.matches) operations.push(toListed(row));
    const isFull = operations.length === limit && index < rows.length - 1;
    if (isFull || Number(row.examined) === MOST_EXAMINED)
      return { operations, next: { createdAt: row.created_micros, id: row.id } };
  }
  return { operations, next: undefined };
}

export interface RequestKeyOfOperation {
  readonly requestKey: string;
  readonly action: ActionName;
}

export interface NamedNumber {
  readonly operationId: bigint;
  readonly operationIdentity: string;
}

export async function findRequestKeys(
  db: Queryable,
  accountId: bigint,
  subscriptionId: bigint,
  named: readonly NamedNumber[],
  keptSince: Date,
): Promise<ReadonlyMap<bigint, RequestKeyOfOperation>> {
  if (named.length === 0) return new Map();
  const { rows } = await db.query<Pick<ListedRow, 'id' | 'request_key' | 'action'>>(
    `select o.id, o.request_key, o.action
     from (select distinct * from unnest($3::bigint[], $4::text[])) as named (id, identity)
     cross join lateral (select * from operation where id = named.id offset 0) o
     where o.account_id = $1 and o.subscription_id = $2 and o.created_at > $5
       and o.identity = nullif(named.identity, '')::uuid`,
    [
      accountId,
      subscriptionId,
      named.map(({ operationId }) => operationId),
      named.map(({ operationIdentity }) => operationIdentity),
      keptSince,
    ],
  );
  return new Map(rows.map(({ id, request_key, action }) => [id, { requestKey: request_key, action }]));
}

interface ListedRow {
  id: bigint;
  identity: string;
  action: ActionName;
  request_key: string;
  state: OperationState;
  payment: Payment;
  request_units: number;
  delivered_units: number;
  fresh_evidence_units: number;
  query: string | null;
  created_at: Date;
  created_micros: bigint;
  finished_at: Date | null;
  failure_code: string | null;
  failure_message: string | null;
  matches: boolean;
  examined: number | bigint;
}

function toListed(row: ListedRow): ListedOperation {
  return {
    id: row.id,
    identity: row.identity,
    action: row.action,
    requestKey: row.request_key,
    state: row.state,
    payment: row.payment,
    units: { request: row.request_units, delivered: row.delivered_units, fresh: row.fresh_evidence_units },
    query: row.query ?? undefined,
    createdAt: row.created_at,
    finishedAt: row.finished_at ?? undefined,
    failure: row.failure_code ? { code: row.failure_code, message: row.failure_message ?? '' } : undefined,
  };
}
