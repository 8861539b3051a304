import { loadVocabulary } from '@ces/search/vocabulary/load-vocabulary';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { readKinds } from '../../../services/search/src/planning/read-kind.ts';
import { findKinds } from '../../../services/search/src/planning/kinds.ts';
import { findPlaces } from '@ces/search/planning/places';
import { readBlindQueries, BLIND_QUERIES } from './relevance-index/blind.ts';
import { readJudgments, kindNamed } from './relevance-index/corpus.ts';
import { readHeldOut } from './relevance-index/judged-companies.ts';
import { filtersOf } from './relevance-index/score-query.ts';
import { tokenise } from '@ces/search/planning/tokens';
const v = loadVocabulary();
const all = [
  ...readJudgments('/work/shared/data/corpus/judgments.jsonl').map((q) => ({ ...q, kind: q.pool.kind })),
  ...readHeldOut(), ...readBlindQueries(BLIND_QUERIES),
];
const out: string[] = [];
for (const least of [0.3, 0.35, 0.4, 0.5, 0.6]) {
  const c: Record<string, number> = {};
  for (const q of all) {
    const tokens = tokenise(q.query); const words = tokens.map((t) => t.word);
    const taken = new Set(findPlaces(tokens, v, []).flatMap((p) => Array.from({ length: p.length }, (_, o) => p.start + o)));
    const named = findKinds(words, new Set(), v).named;
    const open = filtersOf(q).kinds.length > 1;
    const [best] = [...readKinds(words, taken, v)].sort((a, b) => b[1] - a[1]);
    const read = best && best[0] !== 0 && best[1] >= least ? best[0] : 0;
    const g = (open ? 'open' : q.kind.slice(0, 8)) + (named.size ? '+named' : '');
    const r = read === 0 ? 'none' : read === kindNamed(q.kind) ? 'right' : 'wrong';
    c[`${g} ${r}`] = (c[`${g} ${r}`] ?? 0) + 1;
  }
  const gs = [...new Set(Object.keys(c).map((k) => k.split(' ')[0]))].sort();
  out.push(`  ${least}: ` + gs.map((g) => `${g} ${['right', 'wrong', 'none'].map((r) => c[`${g} ${r}`] ?? 0).join('/')}`).join('  '));
}
console.log(out.join('\n'));
