import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Range } from '../range.ts';

/** One thing that is not as it should be. */
export interface Difference {
  readonly subscriptionId: bigint;
  /** 0 when it is not about one operation. */
  readonly operationId: bigint;
  readonly description: string;
}

/** Differences listed of one kind for one subscription, at most. */
const MAX_LISTED = 100;

interface DifferenceRow {
  operation_id: bigint;
  description: string;
}

/** Of several subscriptions at once: `$1` are these, `$2` is how many differences are listed. */
export async function selectOf(
  db: Queryable,
  subscriptionIds: readonly bigint[],
  name: string,
  text: string,
): Promise<readonly Difference[]> {
  if (subscriptionIds.length === 0) return [];
  const values = [subscriptionIds, MAX_LISTED];
  const { rows } = await db.query<DifferenceRow & { subscription_id: bigint }>({ name, text, values });
  return rows.map((row) => ({
    subscriptionId: row.subscription_id,
    operationId: row.operation_id,
    description: row.description,
  }));
}

/** Of a range of a subscription: `$1` is that, `$2` how many differences are listed, `$3` and `$4` the range. */
export async function select(
  db: Queryable,
  subscriptionId: bigint,
  { after, until }: Range,
  name: string,
  text: string,
): Promise<readonly Difference[]> {
  const values = [subscriptionId, MAX_LISTED, after, until];
  const { rows } = await db.query<DifferenceRow>({ name, text, values });
  return rows.map((row) => ({ subscriptionId, operationId: row.operation_id, description: row.description }));
}
