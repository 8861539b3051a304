import type { Queryable } from '@ces/chassis/postgres/pool';

/** Deletion waits five minutes after the number is raised; this makes it six minutes ago. */
export async function letMinutesPass(owner: Queryable): Promise<void> {
  await owner.query("update deleted_refusal set raised_at = raised_at - interval '6 minutes'");
}
