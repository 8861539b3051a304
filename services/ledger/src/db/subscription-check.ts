import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Range } from './range.ts';
import { HAS_NO_ENTRY, SETTLED_SOON } from './verification/unmatched-postings.ts';

export interface SubscriptionCheck {
  readonly entriesAt: string;
  readonly holdsAt: string;
  /** The highest number of the holds that were read; 0 if unknown. */
  readonly highestOperationId: bigint;
  readonly openOperationIds: readonly bigint[];
}

/** Per subscription. Rereading covers older ones. */
const MAX_OPEN = 10_000;

export interface SubscriptionToCheck {
  readonly id: bigint;
  readonly lastAt: string;
  readonly changed: boolean;
  readonly sameRow: boolean;
  readonly rowDigest: bigint;
}

export async function listSubscriptionsToCheck(
  db: Queryable,
  afterId: bigint,
  limit: number,
): Promise<readonly SubscriptionToCheck[]> {
  const { rows } = await db.query<SubscriptionToCheck>({
    name: 'subscriptions-to-check',
    text: `
      select s.id, s.last_at::text as "lastAt", c.checked_at is distinct from s.last_at as changed,
             c.row_digest is not distinct from d.digest as "sameRow", d.digest as "rowDigest"
      from subscription s
      cross join lateral (select hashtextextended(s::text, 0) as digest) d
      left join subscription_check c on c.subscription_id = s.id
      where s.id > $1
      order by s.id
      limit $2`,
    values: [afterId, limit],
  });
  return rows;
}

export async function saveRowDigests(db: Queryable, rows: readonly SubscriptionToCheck[]): Promise<void> {
  await db.query({
    name: 'save-row-digests',
    text: `
      update subscription_check c
      set row_digest = r.digest
      from unnest($1::bigint[], $2::bigint[]) as r (id, digest)
      where c.subscription_id = r.id`,
    values: [rows.map(({ id }) => id), rows.map(({ rowDigest }) => rowDigest)],
  });
}

export async function readSubscriptionCheck(db: Queryable, subscriptionId: bigint): Promise<SubscriptionCheck> {
  const { rows } = await db.query<SubscriptionCheck>({
    name: 'read-subscription-check',
    text: `
      select greatest(c.entries_at, t.settled_at, '-infinity')::text as "entriesAt",
             coalesce(c.holds_at, '-infinity')::text as "holdsAt", coalesce(c.highest_operation_id, 0) as "highestOperationId",
             coalesce(c.open_operation_ids, '{}') as "openOperationIds"
      from (select $1::bigint as id) s
      left join subscription_check c on c.subscription_id = s.id
      left join lateral (
        select settled_at from entry_total where subscription_id = s.id order by settled_at desc limit 1
      ) t on true`,
    values: [subscriptionId],
  });
  const [check] = rows;
  if (!check) throw new Error('a row is made of constants');
  return check;
}

export async function saveSubscriptionCheck(
  db: Queryable,
  subscriptionId: bigint,
  { entriesAt, holdsAt, highestOperationId, openOperationIds }: SubscriptionCheck,
  checkedAt: string,
): Promise<void> {
  await db.query({
    name: 'save-subscription-check',
    text: `
      insert into subscription_check as c (subscription_id, checked_at, holds_at, open_operation_ids, highest_operation_id,
        entries_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (subscription_id) do update
      set checked_at = excluded.checked_at, holds_at = excluded.holds_at, open_operation_ids = excluded.open_operation_ids,
          highest_operation_id = excluded.highest_operation_id, entries_at = excluded.entries_at`,
    values: [subscriptionId, checkedAt, holdsAt, openOperationIds, highestOperationId, entriesAt],
  });
}

export interface HoldsRead extends Omit<SubscriptionCheck, 'entriesAt'> {
  readonly holds: number;
  readonly orphans: readonly Range[];
}

/** A newer hold's number is never lower by more than this. */
const STRETCH = 1n << 24n;

export async function readNextHolds(
  db: Queryable,
  subscriptionId: bigint,
  { holdsAt, highestOperationId, openOperationIds }: Omit<SubscriptionCheck, 'entriesAt'>,
  limit: number,
): Promise<HoldsRead> {
  const { rows } = await db.query<Omit<HoldsRead, 'holdsAt'> & { holdsAt: string | null }>({
    name: 'next-holds',
    text: `
      with fresh as materialized (
        select operation_id, state, created_at
        from hold
        where subscription_id = $1 and created_at > $2 and operation_id > $6
        order by created_at
        limit $4
      ), judged as materialized (
        select * from fresh
        union
        select h.operation_id, h.state, h.created_at from unnest($3::bigint[]) o (id) cross join lateral find_holds(array[o.id]) h
      ), posted as materialized (
        select operation_id, created_at
        from judged
        where state = 'posted' and created_at >= (select pruned_before from pruning)
      ), settled as materialized (${SETTLED_SOON})
      select (select max(created_at)::text from fresh) as "holdsAt", (select count(*)::integer from fresh) as holds,
             (select greatest($7, max(operation_id)) from fresh) as "highestOperationId",
             coalesce((
               select (array_agg(operation_id order by created_at desc))[1:$5::integer] from judged where state = 'held'
             ), '{}') as "openOperationIds",
             coalesce((
               select jsonb_agg(jsonb_build_object(
                 'after', (created_at - interval '1 microsecond')::text, 'until', created_at::text))
               from posted
               where ${HAS_NO_ENTRY}
             ), '[]') as orphans`,
    values: [
      subscriptionId,
      holdsAt,
      openOperationIds,
      limit,
      MAX_OPEN,
      highestOperationId - STRETCH,
      highestOperationId,
    ],
  });
  const read = rows[0];
  if (!read) throw new Error('a row is made of constants');
  return { ...read, holdsAt: read.holdsAt ?? holdsAt };
}
