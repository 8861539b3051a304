import { parseArgs } from 'node:util';
import { readCorpus } from './relevance-index/corpus.ts';
import { openBenchIndex } from './relevance-index/corpus-index.ts';
import { mean } from './relevance-index/measures.ts';
import { seeded } from './relevance-index/resampling.ts';
import { rankQuery } from './relevance-index/score-query.ts';
import {
  drawFocused,
  drawRecord,
  readQueriesByObservation,
  refill,
  type Thinned,
  thin,
} from './relevance-index/small-records.ts';

// Measures what the relevance threshold would remove in small records: npm run lab --
// relevance-small CORPUS. Draws companies from the corpus. With --focused, each query has its own
// record, three tenths of which answer it.
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: 'string', default: '100,300,1000,3000,10000' },
    least: { type: 'string', default: '50' },
    focused: { type: 'boolean' },
    every: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
  },
});
const [directory] = positionals;
if (!directory)
  throw new Error('name the folder of a corpus; further options: --sizes A,B --least N --focused --every N --seed N');

await using bench = await openBenchIndex({});
const corpus = await readCorpus(directory);
const random = seeded(Number(options.seed));
const queries = readQueriesByObservation(directory).filter((_, at) => at % Number(options.every) === 0);
console.log('observations  queries  right left out  wrong left out  emptied');
for (const size of options.sizes.split(',').map(Number)) report(size, await thinAll(size));

async function thinAll(size: number): Promise<Thinned[]> {
  const drawn = options.focused ? undefined : drawRecord(corpus, size, random);
  if (drawn) await refill(bench, corpus, drawn);
  const thinned: Thinned[] = [];
  for (const judged of queries) {
    if (drawn && !judged.right.some((id) => drawn.has(id))) continue;
    if (!drawn) await refill(bench, corpus, drawFocused(corpus, judged, size, random));
    const { companies } = await rankQuery(judged.query, bench);
    thinned.push(thin(companies, judged, Number(options.least)));
  }
  return thinned.filter(({ right }) => right > 0);
}

function report(size: number, thinned: readonly Thinned[]): void {
  const wrong = thinned.filter((one) => one.wrong > 0);
  const figures = [
    thinned.length,
    mean(thinned.map((one) => one.rightLeftOut / one.right)).toFixed(3),
    mean(wrong.map((one) => one.wrongLeftOut / one.wrong)).toFixed(3),
    thinned.filter(({ emptied }) => emptied).length,
  ];
  console.log([size, ...figures].join('  '));
}
