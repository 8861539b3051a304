import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cosine, fuse } from '../src/embedding/fuse.ts';
import { openCorpusIndex } from './corpus-index.ts';
import { latentEmbedder, readModel, trainModel, writeModel } from './latent/latent-model.ts';
import { mean } from './measures.ts';
import { bootstrap, foldsOf, seeded } from './resampling.ts';
import { judge, type Ranked, rankQuery, type Score } from './score-query.ts';

// What latent-semantic vectors of the record bring beside words: node services/search/bench/latent.ts CORPUS --model FILE
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    judgments: { type: 'string' },
    model: { type: 'string' },
    dimensions: { type: 'string', default: '128' },
    seed: { type: 'string', default: '1' },
    folds: { type: 'string', default: '9' },
  },
});
const SHARES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1];

await using subject = await openCorpusIndex({ directory: positionals[0], ...options });
const training = { dimensions: Number(options.dimensions), seed: Number(options.seed) };
const model = options.model && existsSync(options.model) ? readModel(options.model) : train();
const embedder = latentEmbedder(model);
console.log(
  `${model.weights.idf.length} terms, ${model.training.dimensions} dimensions, seed ${model.training.seed}, texts ${model.corpusHash.slice(0, 12)}`,
);

const runs = new Map<number, Score[]>(SHARES.map((share) => [share, []]));
for (const query of subject.judged) {
  const ranked = await rankQuery(query, subject);
  const likenesses = await likenessesOf(ranked);
  for (const share of SHARES) runs.get(share)?.push(judge(reordered(ranked, likenesses, share), subject));
}
const words = runs.get(0) ?? [];
for (const [share, scores] of runs) print(`share ${share.toFixed(1)}`, scores);
print('share chosen without the query', heldOut());

function train() {
  const began = performance.now();
  const trained = trainModel(subject.corpus, training);
  console.log(`trained in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  if (options.model) console.log(`${options.model}: sha256 ${writeModel(options.model, trained)}`);
  return trained;
}

async function likenessesOf({ query, companies }: Ranked): Promise<number[]> {
  const profiles = new Map(subject.corpus.companies.map((company) => [company.id, company.profile]));
  const texts = companies.map(({ companyId, hits: [best] }) => {
    const document = best && subject.corpus.byId.get(best.observationId);
    return [document?.observedFact, ...(document?.excerpts ?? []), profiles.get(companyId)].join('\n');
  });
  const [asked, ...found] = await embedder.embed([query.query, ...texts], AbortSignal.timeout(60_000));
  return found.map((vector) => (asked ? cosine(asked, vector) : 0));
}

function reordered(ranked: Ranked, likenesses: readonly number[], share: number): Ranked {
  const fused = fuse(
    ranked.companies.map(({ score }) => score),
    likenesses,
    share,
  );
  const companies = ranked.companies.map((company, at) => ({ ...company, score: fused[at] ?? 0 }));
  return { ...ranked, companies: companies.toSorted((a, b) => b.score - a.score) };
}

/** Every query in the order that was best for the queries of the other folds. */
function heldOut(): Score[] {
  const folds = Number(options.folds);
  const foldOf = foldsOf(subject.judged.length, folds, seeded(training.seed));
  const ndcgWithout = (scores: readonly Score[], fold: number) =>
    mean(scores.filter((_, at) => foldOf[at] !== fold).map(({ ndcg }) => ndcg));
  const best = Array.from({ length: folds }, (_, fold) =>
    [...runs.values()].reduce((a, b) => (ndcgWithout(b, fold) > ndcgWithout(a, fold) ? b : a)),
  );
  return subject.judged.flatMap((_, at) => best[foldOf[at] ?? 0]?.[at] ?? []);
}

function print(name: string, scores: readonly Score[]): void {
  const families = Map.groupBy(scores, ({ query }) => query.family.slice(0, 1));
  const gains = scores.map(({ ndcg }, at) => ndcg - (words[at]?.ndcg ?? 0));
  const [low, high] = bootstrap(gains, seeded(training.seed));
  const byFamily = [...families].map(([family, own]) => `${family} ${mean(own.map(({ ndcg }) => ndcg)).toFixed(3)}`);
  console.log(
    `${name}: nDCG@10 ${mean(scores.map(({ ndcg }) => ndcg)).toFixed(3)}, against words ${mean(gains).toFixed(3)} ` +
      `[${low.toFixed(3)}, ${high.toFixed(3)}]; ${byFamily.join(', ')}`,
  );
}
