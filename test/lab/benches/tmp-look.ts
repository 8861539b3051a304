import { systemClock } from '@ces/chassis/service/clock';
import { planQuery } from '@ces/search/planning/plan-query';
import { namedKinds } from '@ces/search/ranking/asked';
import { loadVocabulary } from '@ces/search/vocabulary/load-vocabulary';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { readKinds } from '../../../services/search/src/planning/read-kind.ts';
import { kindFeatures } from '../../../services/search/src/planning/kind-features.ts';
import { findKinds } from '../../../services/search/src/planning/kinds.ts';
import { readBlindQueries, BLIND_QUERIES } from './relevance-index/blind.ts';
import { readJudgments } from './relevance-index/corpus.ts';
import { readHeldOut } from './relevance-index/judged-companies.ts';
import { filtersOf } from './relevance-index/score-query.ts';
import { tokenise } from '@ces/search/planning/tokens';
const v = loadVocabulary();
const all = [
  ...readJudgments('/work/shared/data/corpus/judgments.jsonl').map((q) => ({ ...q, kind: q.pool.kind, set: 'labels' })),
  ...readHeldOut().map((q) => ({ ...q, set: 'held' })),
  ...readBlindQueries(BLIND_QUERIES).map((q) => ({ ...q, set: 'blind' })),
];
for (const q of all) {
  const plan = planQuery(q.query, filtersOf(q), v, systemClock.now());
  const words = tokenise(q.query).map((t) => t.word);
  const phrase = findKinds(words, new Set(), v).named;
  if (phrase.size > 0) continue;
  const read = [...readKinds(words, new Set(), v)].sort((a, b) => b[1] - a[1]).slice(0, 2).map(([k, p]) => `${String(k)} ${p.toFixed(2)}`);
  const open = filtersOf(q).kinds.length > 1;
  const named = namedKinds(plan).map((k) => String(k));
  const ok = named.length === 0 ? 'none' : named.includes(q.kind.toUpperCase()) ? 'right' : 'WRONG';
  console.log([q.set, open ? 'open' : 'closed', q.kind, ok, read.join(', '), q.query].join(' | '));
}
