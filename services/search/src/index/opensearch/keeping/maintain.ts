import { dropOlderGenerations } from '../indices/generations.ts';
import { writeAlias } from '../indices/names.ts';
import { advanceKeptFrom } from '../state/feed-row.ts';
import { lossOf, readIndexState } from '../state/index-state.ts';
import { type IndexPlaces, repairIndex } from '../state/repair.ts';
import { replaceLostAlias } from '../state/stamp.ts';
import { discardOlder } from './kept-months.ts';

/**
 * Creates missing indices of an unused installation, restores a lost stamp alias, and drops
 * obsolete generations. Discards events that a previous run declared too old: no running search
 * relies on them any more.
 */
export async function maintainIndex(places: IndexPlaces): Promise<void> {
  const { pool, client, meter, prefix } = places;
  const found = await readIndexState(pool, places);
  const isNew = lossOf(found) === 'index' && found.row.live === undefined && !found.row.rebuilding;
  const state = isNew ? await repairIndex(places, found, found.row.fence) : found;
  const { row, generations } = state;
  const { served } = generations;
  await replaceLostAlias(places, pool, state);
  await dropOlderGenerations(places, row.generation);
  if (served !== undefined && row.keptFrom !== undefined)
    await discardOlder({ client, meter, alias: writeAlias(prefix, 'observation', served) }, row.keptFrom);
  const first = places.keptFrom();
  if (first !== null) await advanceKeptFrom(pool, first);
}
