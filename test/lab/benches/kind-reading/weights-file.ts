import type { Learned } from './learn-kinds.ts';

/** The planner reads the weights from this file. */
export const WEIGHTS_FILE = new URL('../../../../services/search/vocabulary/kind-weights.txt', import.meta.url);
/** Parameters of the checked-in file. */
export const SEED = 1;
export const SENTENCES_A_KIND = 1_500;
const LEAST_WEIGHT = 0.15;

export function weightsFile({ sentences, kinds, model }: Learned, seed: number): string {
  const { names, constants, weights } = model;
  const figures = (own: Float64Array) => [...own].map((weight) => Math.round(weight * 100) || '').join(',');
  const lines = names.flatMap((name, at) => {
    const own = (weights[at] ?? constants).map((weight) => (Math.abs(weight) < LEAST_WEIGHT ? 0 : weight));
    return own.every((weight) => weight === 0) ? [] : [`${name}=${figures(own)}`];
  });
  const head = [
    '# Which kind a query asks for where no phrase of kinds.txt names one: what each feature of its words (planning/kind-features.ts)',
    '# weighs for each kind, in hundredths. Written by "npm run lab -- kind-reader --write" from sentences of a grammar',
    `# (test/lab/benches/kind-reading), never by hand: ${sentences.length} sentences, seed ${seed}.`,
    '',
    kinds.join(','),
    `constant=${figures(constants)}`,
  ];
  return `${[...head, ...lines.toSorted()].join('\n')}\n`;
}
