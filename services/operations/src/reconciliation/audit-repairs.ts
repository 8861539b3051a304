import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import { insertAudit } from '../db/audit.ts';
import type { Reconciled } from './reconcile.ts';

type Repairs = Partial<Pick<Reconciled, 'settledAgain' | 'unpaid'>> & {
  readonly released: readonly bigint[];
  readonly reversed: readonly bigint[];
};

export async function auditRepairs(
  db: Queryable,
  actor: Actor,
  action: 'reconcile' | 'after_restore',
  { settledAgain = [], unpaid = [], released, reversed }: Repairs,
): Promise<void> {
  const repaired = Object.entries({ settled_again: settledAgain, failed_unpaid: unpaid, released, reversed })
    .filter(([, ids]) => ids.length > 0)
    .map(([what, ids]) => [what, ids.map(String)] as const);
  if (repaired.length > 0) await insertAudit(db, { actor, action, detail: Object.fromEntries(repaired) });
}
