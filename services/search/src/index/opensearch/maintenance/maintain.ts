import { dropOlderGenerations } from '../indices/generations.ts';
import { writeAlias } from '../indices/names.ts';
import { advanceKeptFrom } from '../state/feed-row.ts';
import { lossOf, readIndexState } from '../state/index-state.ts';
import { type IndexContext, repairIndex } from '../state/repair.ts';
import { discardOlderEvents } from './discard-older-events.ts';

/** Discards what the previous run declared too old: no running search relies on it any more. */
export async function maintainIndex(context: IndexContext): Promise<void> {
  const { pool, client, meter, prefix } = context;
  const found = await readIndexState(pool, context);
  const isNew = lossOf(found) === 'index' && found.row.live === undefined && !found.row.rebuilding;
  const { row, generations } = isNew ? await repairIndex(context, found, found.row.fence) : found;
  const { served } = generations;
  await dropOlderGenerations(context, row.generation);
  if (served !== undefined && row.keptFrom !== undefined)
    await discardOlderEvents({ client, meter, alias: writeAlias(prefix, 'observation', served) }, row.keptFrom);
  const first = context.keptFrom();
  if (first !== null) await advanceKeptFrom(pool, first);
}
