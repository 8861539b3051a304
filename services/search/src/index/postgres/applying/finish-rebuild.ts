import { allowLongStatements } from '@ces/chassis/postgres/long-statements';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { endRebuild } from '../../feed/feed.ts';

/** Deletes documents that the rebuild did not meet. False: no rebuild, or a higher fence token. */
export async function finishRebuild(db: Queryable, fence: bigint): Promise<boolean> {
  const generation = await endRebuild(db, 'feed', fence);
  if (generation === undefined) return false;
  await allowLongStatements(db);
  await db.query(
    `with gone as (delete from indexed where generation < $1 returning observation_id, bucket)
     delete from entry using gone where entry.observation_id = gone.observation_id and entry.bucket = gone.bucket`,
    [generation],
  );
  await db.query(
    `with gone as (delete from company_doc where generation < $1 returning company_id)
     delete from company_domain using gone where company_domain.company_id = gone.company_id`,
    [generation],
  );
  return true;
}
