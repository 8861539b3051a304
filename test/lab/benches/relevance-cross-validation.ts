import { parseArgs } from 'node:util';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { mean } from './relevance-index/measures.ts';
import { bootstrap, foldsOf, seeded } from './relevance-index/resampling.ts';
import { type Score, scoreQueries } from './relevance-index/score-query.ts';
import { CHOSEN, type Constants, withConstants } from './relevance-index/variants.ts';

// Scores ranking on queries, or with --families on families, that were held out when its constants
// were fitted: npm run lab -- relevance-cross-validation CORPUS
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    judgments: { type: 'string' },
    seed: { type: 'string', default: '1' },
    folds: { type: 'string', default: '9' },
    families: { type: 'boolean' },
  },
});
const GRID: readonly Constants[] = [0.5, 0.75, 1].flatMap((context) =>
  [0.2, 0.35, 0.5].flatMap((related) =>
    [
      [1.2, 0.6],
      [1.5, 0.3],
      [2, 0.15],
    ].map(([namedKind = 1, otherKind = 1]) => ({ context, related, namedKind, otherKind })),
  ),
);

await using subject = await openCorpusIndex({ directory: positionals[0], ...options });
const random = seeded(Number(options.seed));
const families = [...new Set(subject.judged.map(({ family }) => family))];
const folds = options.families ? families.length : Number(options.folds);
const foldOf = options.families
  ? subject.judged.map(({ family }) => families.indexOf(family))
  : foldsOf(subject.judged.length, folds, random);
const runs = new Map<Constants, Score[]>();
for (const constants of GRID) {
  runs.set(constants, await scoreQueries(subject, withConstants(constants)));
  process.stderr.write('.');
}
process.stderr.write('\n');

const all = [...runs];
const heldOut: Score[] = [];
for (let fold = 0; fold < folds; fold += 1) {
  const inTraining = (_: unknown, at: number) => foldOf[at] !== fold;
  const ndcg = (scores: readonly Score[]) => mean(scores.filter(inTraining).map((score) => score.ndcg));
  const [constants, scores] = all.reduce((best, run) => (ndcg(run[1]) > ndcg(best[1]) ? run : best));
  heldOut.push(...scores.filter((_, at) => foldOf[at] === fold));
  const name = options.families ? families[fold] : `fold ${fold}`;
  console.log(`${name}: ${JSON.stringify(constants)}`);
}
console.log(
  `seed ${options.seed}, ${folds} folds over ${subject.judged.length} queries, ${GRID.length} settings of constants`,
);
print('constants in force, in sample', await scoreQueries(subject, withConstants(CHOSEN)));
print('constants chosen without the query', heldOut);

function print(name: string, scores: readonly Score[]): void {
  const ndcg = scores.map((score) => score.ndcg);
  const [low, high] = bootstrap(ndcg, random);
  const recall = mean(scores.map((score) => score.recall));
  console.log(
    `${name}: nDCG@10 ${mean(ndcg).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}], R@100 ${recall.toFixed(3)}`,
  );
}
