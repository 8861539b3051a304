import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock } from '@ces/chassis/service/clock';
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
    /** Sentences of each kind, and how many times as many of none. */
    each: { type: 'string', default: '1000' },
    none: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '10' },
    unseen: { type: 'string', default: '0.5' },
    absolute: { type: 'string', default: '0.003' },
    square: { type: 'string', default: '0.003' },
    write: { type: 'boolean' },
    least: { type: 'string', default: '4' },
    prune: { type: 'string', default: '0.15' },
  },
});
const FILE = new URL('../../../services/search/vocabulary/kind-weights.txt', import.meta.url);
/** A feature that fewer sentences have says nothing beyond them. */
const LEAST_SENTENCES = 4;
const FOLDS = 5;
const THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

const vocabulary = loadVocabulary();
const random = seeded(Number(options.seed));
const sentences = writeSentences(Number(options.each), Number(options.none), random);
const kinds = [...new Set(sentences.map(({ kind }) => kind))];
const seen = sentences.map(featuresOf);

const foldOf = new Map(
  [...new Set(sentences.map(({ frame }) => frame))].map((frame) => [frame, Math.floor(random() * FOLDS)]),
);
const held = sentences.map((sentence) => (foldOf.get(sentence.frame) ?? 0) === 0);
if (process.env['QUICK'] !== '1') report(train((at) => !held[at]));
const model = train(() => true);
console.log(`${sentences.length} sentences, ${model.names.length} features, ${nonZero(model)} with a weight`);
if (options.write) write(model);

interface Model extends SoftmaxWeights {
  readonly names: readonly string[];
}

function featuresOf({ text }: Sentence): string[] {
  const tokens = tokenise(text);
  const indexes = [...findPlaces(tokens, vocabulary, []), ...findTimes(tokens, systemClock.now())].flatMap(
    ({ start, length }) => Array.from({ length }, (_, offset) => start + offset),
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
  const names = [...counts].filter(([, count]) => count >= Number(options.least)).map(([name]) => name);
  const numbers = new Map(names.map((name, at) => [name, at]));
  const examples = used.map(
    (at): Example => ({
      features: (seen[at] ?? []).flatMap((name) => numbers.get(name) ?? []),
      label: kinds.indexOf(sentences[at]?.kind ?? ''),
    }),
  );
  return {
    names,
    ...fitSoftmax(
      examples,
      names.length,
      kinds.length,
      { rounds: Number(options.rounds),
        unseen: Number(options.unseen), absolute: Number(options.absolute), square: Number(options.square) },
      random,
    ),
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

function nonZero({ weights }: Model): number {
  return weights.filter((own) => own.some((weight) => weight !== 0)).length;
}

function write({ names, constants, weights }: Model): void {
  const figure = (value: number) => String(Number(value.toFixed(2)));
  const line = (name: string, own: Float64Array) => {
    const said = [...own]
      .map((weight, at) => [kinds[at] ?? '', figure(weight)] as const)
      .filter(([, weight]) => name === 'constant' || Math.abs(Number(weight)) >= Number(options.prune));
    return said.length === 0 ? [] : [`${name} = ${said.map(([kind, weight]) => `${kind} ${weight}`).join(', ')}`];
  };
  const lines = names.flatMap((name, at) => line(name, weights[at] ?? new Float64Array())).toSorted();
  const head = [
    '# Which kind a query asks for where no phrase of kinds.txt names one: what each feature of its words (planning/kind-features.ts)',
    '# weighs for each kind, and the constant of each kind. Written by "npm run lab -- kind-reader --write" from sentences of a grammar',
    `# (test/lab/benches/kind-reading), never by hand: ${sentences.length} sentences, seed ${options.seed}.`,
    '',
  ];
  writeFileSync(FILE, `${[...head, ...line('constant', constants), ...lines].join('\n')}\n`);
}
