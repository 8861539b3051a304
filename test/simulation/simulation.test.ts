import { QUICK, Stack } from '@ces/operations/test-support/stack';
import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { volumeOf } from '../support/volume.ts';
import { commands } from './commands.ts';
import { expectAllEnded, newModel, type Real, setWeather } from './model.ts';

const RUNS = Number(process.env.CES_SIMULATION_RUNS ?? volumeOf(10, 500, 500));
const COMMANDS = Number(process.env.CES_SIMULATION_STEPS ?? 14);

let stack: Stack;
let processes: Real['processes'];

beforeAll(async () => {
  stack = await Stack.start(QUICK);
  stack.record.addCompanies(3);
  const second = await stack.startService();
  processes = stack.first ? [stack.first, second] : [];
});
afterAll(() => stack[Symbol.asyncDispose]());

test('whatever is asked, lost and late, in any order: one operation and at most one charge a key, and states go forward', {
  timeout: 60_000 + RUNS * COMMANDS * 300,
}, async () => {
  let runs = 0;
  const property = fc.asyncProperty(fc.commands(commands, { maxCommands: COMMANDS, size: 'max' }), async (steps) => {
    runs += 1;
    const real: Real = { stack, processes, prefix: `run${runs}-` };
    const model = newModel();
    setWeather(real, model);
    await fc.asyncModelRun(() => ({ model, real }), steps);
    await expectAllEnded(model, real);
  });
  const seed = Number(process.env.CES_TEST_SEED ?? Date.now() % 2 ** 31);
  await fc.assert(property, { numRuns: RUNS, seed, endOnFailure: true });
});
