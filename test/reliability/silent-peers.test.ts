import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { type Arena, startArena } from '../lab/drills/survival/arena.ts';
import { EDGES } from '../lab/drills/survival/edges.ts';
import { loseConnections, type Survival } from '../lab/drills/survival/lose-connections.ts';
import { seeded } from '../support/random.ts';

// The small version of `npm run lab -- survival`: all edges at once instead of each in turn.
const seed = process.env.CES_TEST_SEED ?? String(Date.now());
const AGAIN_WITHIN_MS = 15_000;
const PROBED_WITHIN_MS = 2_000;

let arena: Arena;

beforeAll(async () => {
  arena = await startArena(seeded(seed));
}, 120_000);
afterAll(() => arena[Symbol.asyncDispose](), 60_000);

test('all connections to databases, broker and peers are lost without a word, and every service answers again within 15 s', {
  timeout: 60_000,
}, async () => {
  onTestFailed(() => console.error(`repeat with CES_TEST_SEED=${seed}`));
  const survivals = await loseConnections(arena, EDGES, 'lost');
  expect(survivals.filter(isTooLate)).toEqual([]);
  // Otherwise nothing was lost that mattered, and the test proves nothing.
  expect(Math.max(...survivals.map(({ failedCalls }) => failedCalls))).toBeGreaterThan(0);
});

function isTooLate({ callsAgainMs, readyAgainMs, slowestProbeMs, notAlive }: Survival): boolean {
  return Math.max(callsAgainMs, readyAgainMs) > AGAIN_WITHIN_MS || slowestProbeMs > PROBED_WITHIN_MS || notAlive > 0;
}
