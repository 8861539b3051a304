import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { learnKinds } from './learn-kinds.ts';
import { SEED, SENTENCES_A_KIND, WEIGHTS_FILE, weightsFile } from './weights-file.ts';

test('the weights of the planner are those that grammar and vocabulary give now', () => {
  const written = weightsFile(learnKinds(SENTENCES_A_KIND, SEED), SEED);
  expect(written === readFileSync(WEIGHTS_FILE, 'utf8'), 'run npm run lab -- kind-reader --write').toBe(true);
});
