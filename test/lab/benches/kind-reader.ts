import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { table } from '@ces/cli/output/table';
import { kindFeatures } from '@ces/search/planning/kind-features';
import { findPlaces } from '@ces/search/planning/places';
import { findTimes } from '@ces/search/planning/times';
import { tokenise } from '@ces/search/planning/tokens';
import { loadVocabulary } from '@ces/search/vocabulary/load-vocabulary';
import { type Sentence, writeSentences } from './kind-reading/sentences.ts';
import { type Example, fitSoftmax, type SoftmaxWeights, softmax } from './kind-reading/softmax.ts';
import { seeded } from './relevance-index/resampling.ts';

// Learns which kind a query asks for where no listed phrase names one, from sentences that a grammar writes:
// npm run lab -- kind-reader. With --write the weights become services/search/vocabulary/kind-weights.txt.
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** Sentences of each kind. */
    each: { type: 'string', default: '1500' },
    write: { type: 'boolean' },
  },
});
const FILE = new URL('../../../services/search/vocabulary/kind-weights.txt', import.meta.url);
/** How many times as many sentences ask for none. */
const NONE_SHARE = 1.5;
const LEARNING = { rounds: 6, unseen: 0.4, absolute: 0.02, square: 0.003 };
/** A feature that fewer sentences have says nothing beyond them. */
const LEAST_SENTENCES = 5;
/** A smaller weight is left out of the file. */
const LEAST_WEIGHT = 0.15;
/** A fifth of the frames has no say in the weights that are reported on. */
const FOLDS = 5;
const THRESHOLDS = [0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8];
const TODAY = new Date('2026-11-27T12:00:00Z');

const vocabulary = loadVocabulary();
const random = seeded(Number(options.seed));
const sentences = writeSentences(Number(options.each), NONE_SHARE, random);
const kinds = [...new Set(sentences.map(({ kind }) => kind))];
const seen = sentences.map(featuresOf);

const foldOf = new Map(
  [...new Set(sentences.map(({ frame }) => frame))].map((frame) => [frame, Math.floor(random() * FOLDS)]),
);
const held = sentences.map((sentence) => (foldOf.get(sentence.frame) ?? 0) === 0);
report(train((at) => !held[at]));
const model = train(() => true);
console.log(`${sentences.length} sentences, ${model.names.length} features`);
if (options.write) write(model);

interface Model extends SoftmaxWeights {
  readonly names: readonly string[];
}

function featuresOf({ text }: Sentence): string[] {
  const tokens = tokenise(text);
  const indexes = [...findPlaces(tokens, vocabulary, []), ...findTimes(tokens, TODAY)].flatMap(({ start, length }) =>
    Array.from({ length }, (_, offset) => start + offset),
  );
  return kindFeatures(
    tokens.map(({ word }) => word),
    new Set(indexes),
    vocabulary,
  );
}

function train(isUsed: (at: number) => boolean): Model {
  const used = sentences.map((_, at) => at).filter(isUsed);
  const counts = new Map<string, number>();
  for (const at of used) for (const name of seen[at] ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].filter(([, count]) => count >= LEAST_SENTENCES).map(([name]) => name);
  const numbers = new Map(names.map((name, at) => [name, at]));
  const examples = used.map(
    (at): Example => ({
      features: (seen[at] ?? []).flatMap((name) => numbers.get(name) ?? []),
      label: kinds.indexOf(sentences[at]?.kind ?? ''),
    }),
  );
  return {
    names,
    ...fitSoftmax(examples, names.length, kinds.length, LEARNING, random),
  };
}

/** What is read of sentences whose frames had no say in the weights. */
function report(trained: Model): void {
  const numbers = new Map(trained.names.map((name, at) => [name, at]));
  const readings = sentences.flatMap((sentence, at) => {
    if (!held[at]) return [];
    const scores = Float64Array.from(trained.constants);
    for (const name of seen[at] ?? []) {
      const number = numbers.get(name);
      if (number !== undefined)
        for (const [kind, weight] of (trained.weights[number] ?? []).entries())
          scores[kind] = (scores[kind] ?? 0) + weight;
    }
    const probabilities = softmax(scores);
    const best = probabilities.indexOf(Math.max(...probabilities));
    return [{ sentence, read: kinds[best] ?? '', probability: probabilities[best] ?? 0 }];
  });
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

function write({ names, constants, weights }: Model): void {
  const figures = (own: Float64Array) => [...own].map((weight) => Math.round(weight * 100) || '').join(',');
  const lines = names.flatMap((name, at) => {
    const own = (weights[at] ?? constants).map((weight) => (Math.abs(weight) < LEAST_WEIGHT ? 0 : weight));
    return own.every((weight) => weight === 0) ? [] : [`${name}=${figures(own)}`];
  });
  const head = [
    '# Which kind a query asks for where no phrase of kinds.txt names one: what each feature of its words (planning/kind-features.ts)',
    '# weighs for each kind, in hundredths. Written by "npm run lab -- kind-reader --write" from sentences of a grammar',
    `# (test/lab/benches/kind-reading), never by hand: ${sentences.length} sentences, seed ${options.seed}.`,
    '',
    kinds.join(','),
    `constant=${figures(constants)}`,
  ];
  writeFileSync(FILE, `${[...head, ...lines.toSorted()].join('\n')}\n`);
}
