import type { Actor } from '@ces/chassis/rpc/caller';
import { insertAudit } from '../db/audit.ts';
import type { Dependencies } from '../dependencies.ts';

export async function rebuildIndex({ db, index, wakeProjector }: Dependencies, actor: Actor) {
  await insertAudit(db, actor, 'rebuild_index');
  const started = await index.beginRebuild();
  wakeProjector();
  return { started };
}
