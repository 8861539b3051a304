import type { Queryable } from '@ces/chassis/postgres/pool';

/** By then the number up to which refusals may be forgotten has stood for long enough. */
export async function letMinutesPass(owner: Queryable): Promise<void> {
  await owner.query("update forgotten_refusal set raised_at = raised_at - interval '6 minutes'");
}
