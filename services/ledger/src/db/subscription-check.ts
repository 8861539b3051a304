import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Range } from './range.ts';
import { HAS_NO_ENTRY, SETTLED_SOON } from './verification/unmatched-postings.ts';

/** How far a subscription has been compared. */
export interface SubscriptionCheck {
  /** Entries were compared up to this instant. */
  readonly entriesAt: string;
  /** Holds were read up to this instant. */
  readonly holdsAt: string;
  /** Of those holds; 0 where it is not known. */
  readonly highestOperationId: bigint;
  /** Those of them that were open then: what becomes of them is still to be seen. */
  readonly openOperationIds: readonly bigint[];
}

/** Holds of a subscription that are remembered as open, at most; beyond them the oldest are left to the reading of what is old. */
const MAX_OPEN = 10_000;

/** A subscription as a pass comes to it. */
export interface SubscriptionToCheck {
  readonly id: bigint;
  readonly lastAt: string;
  /** Whether anything was written since it was compared. */
  readonly changed: boolean;
  /** Whether its row is the one whose counters were found to be right. */
  readonly sameRow: boolean;
  readonly rowDigest: bigint;
}

/** Subscriptions by id above `afterId`. */
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

/** Remembers rows whose counters are right. */
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

/** Where a pass goes on; at the beginning where none was. What is added up was compared, too. */
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

/** Remembers how far a subscription was compared; `checkedAt` is its last instant once it was compared to its end. */
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
  /** How many were read for the first time. */
  readonly holds: number;
  /** Those that are posted and have no entry, a range each. */
  readonly orphans: readonly Range[];
}

/** Numbers of a partition: a hold that is newer than others has a number that is lower by less. */
const STRETCH = 1n << 24n;

/** Reads the next `limit` holds of a subscription, and again those that were open. */
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
