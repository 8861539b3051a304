import { writeFileSync } from 'node:fs';
import { table } from '@ces/cli/output/table';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Learned, learnKinds } from './kind-reading/learn-kinds.ts';
import { SEED, SENTENCES_A_KIND, WEIGHTS_FILE, weightsFile } from './kind-reading/weights-file.ts';

// Trains the classifier of a query's kind on sentences from a grammar. The planner uses it if no
// phrase names a kind. --write saves the weights as services/search/vocabulary/kind-weights.txt.
const { values: options } = readArguments('npm run lab -- kind-reader [--seed N] [--each SENTENCES_A_KIND] [--write]', {
  seed: { type: 'string' },
  each: { type: 'string' },
  write: { type: 'boolean' },
});
const THRESHOLDS = [0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8];

const seed = atLeastOne(options.seed, SEED);
const learned = learnKinds(atLeastOne(options.each, SENTENCES_A_KIND), seed);
report(learned);
console.log(`${learned.sentences.length} sentences, ${learned.model.names.length} features`);
if (options.write) writeFileSync(WEIGHTS_FILE, weightsFile(learned, seed));

/** Evaluates sentences whose frames were held out of the training. */
function report({ kinds, readings }: Learned): void {
  const rows = kinds.map((kind) => {
    const own = readings.filter(({ sentence }) => sentence.kind === kind);
    const said = (least: number) => {
      const sure = own.filter(({ read, probability }) => read !== 'none' && probability >= least);
      const right = sure.filter(({ read }) => read === kind).length;
      return `${(right / own.length).toFixed(2)} ${((sure.length - right) / own.length).toFixed(2)}`;
    };
    return [kind, own.length, ...THRESHOLDS.map(said)];
  });
  console.log(`frames without a say: share read right, share read wrong, by least probability`);
  console.log(table(['kind', 'sentences', ...THRESHOLDS.map(String)], rows));
}
