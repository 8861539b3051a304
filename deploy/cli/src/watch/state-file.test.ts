import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openState, type WatchState } from './state-file.ts';

const SINCE = '2026-03-01T12:00:00.000Z';
const STATE: WatchState = {
  watched: 'plants',
  since: SINCE,
  dueAt: 1_772_366_400_000,
  round: { key: 'k', since: SINCE, limit: 25, page: 2, cursor: 'two', asOf: SINCE },
  shown: [[7, SINCE]],
  rounds: 3,
  spent: { request: 4, delivered: 5, fresh: 0 },
};

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-watch-state-'));
  file = path.join(directory, 'plants.json');
});
afterEach(() => rm(directory, { recursive: true }));

test('a saved state is read back, with and without a round under way', async () => {
  const { keeper, found } = await openState(file, 'plants');
  expect(found).toBeUndefined();
  await keeper.save(STATE);
  expect((await openState(file, 'plants')).found).toEqual(STATE);
  const { round: _, ...resting } = STATE;
  await keeper.save(resting);
  expect((await openState(file, 'plants')).found).toEqual(resting);
});

test.each([
  { spent: undefined },
  { spent: { ...STATE.spent, request: '0' } },
  { spent: { ...STATE.spent, delivered: -5 } },
  { dueAt: 'soon' },
  { since: 'then' },
  { rounds: null },
  { round: { ...STATE.round, key: undefined } },
  { round: { ...STATE.round, page: 0 } },
  { round: { ...STATE.round, cursor: undefined } },
  { shown: [5] },
])('a state that lacks what bounds the spending is refused: %o', async (damage) => {
  await writeFile(file, JSON.stringify({ ...STATE, ...damage }));
  await expect(openState(file, 'plants')).rejects.toThrow('is not a state file of a watch');
});

test('a watch whose state another one writes ends before its next call: together they would spend twice what one may', async () => {
  const [one, other] = [await openState(file, 'plants'), await openState(file, 'plants')];
  await one.keeper.save(STATE);
  await expect(other.keeper.save({ ...STATE, rounds: 4 })).rejects.toThrow('is in use by another watch');
  await one.keeper.save({ ...STATE, rounds: 5 });
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ rounds: 5 });
});
