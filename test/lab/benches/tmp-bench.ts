import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BLIND_SETS, readBlindJudgments, readBlindQueries, scoreBlind } from './relevance-index/blind.ts';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { mean, ndcg } from './relevance-index/measures.ts';
import { rankQuery, scoreQueries } from './relevance-index/score-query.ts';
import { kindNamed } from './relevance-index/corpus.ts';
const SETS: Record<string, Record<string, string>> = JSON.parse(process.argv[2] ?? '{}');
const which = process.argv[3] ?? 'blind';
const subject = await openCorpusIndex({ directory: '/work/shared/data/corpus' });
const base: Record<string, number[]> = {};
const baseBlind = new Map<string, number>();
for (const [name, env] of Object.entries(SETS)) {
  Object.assign(process.env, { LAB_LEAST: '0.5', LAB_MODE: 'named', LAB_CLOSED: '0', LAB_OPT: '' }, env);
  const out: string[] = [];
  for (const set of BLIND_SETS) {
    if (!which.split(',').includes(set.name)) continue;
    const judgments = readBlindJudgments(set.judgments);
    const gains: number[] = [];
    let open = 0;
    for (const query of readBlindQueries(set.queries)) {
      const { companies } = await rankQuery(query, subject);
      const s = scoreBlind(query, companies, judgments.get(query.query_id) ?? new Map(), (id) => subject.corpus.byId.get(id)?.companyId);
      open += s.unjudged;
      if (s.answers > 0) {
        gains.push(s.byEvidence);
        const before = baseBlind.get(query.query_id);
        if (before === undefined) baseBlind.set(query.query_id, s.byEvidence);
        else if (set.name === 'blind' && Math.abs(before - s.byEvidence) > 0.01) console.log(`   ${query.query_id} ${query.kind} ${before.toFixed(2)} -> ${s.byEvidence.toFixed(2)} unjudged ${s.unjudged}`);
      }
    }
    const known = base[set.name] ?? gains;
    base[set.name] ??= gains;
    const better = gains.filter((g, at) => g > (known[at] ?? 0) + 1e-6).length;
    const worse = gains.filter((g, at) => g < (known[at] ?? 0) - 1e-6).length;
    out.push(`${set.name} ${mean(gains).toFixed(4)} (${better} better, ${worse} worse, unjudged ${open})`);
  }
  if (which.includes('labels')) {
    const s = await scoreQueries(subject);
    out.push(`72: ${mean(s.map((x) => x.ndcg)).toFixed(4)} ${mean(s.map((x) => x.evidence)).toFixed(4)} R ${mean(s.map((x) => x.recall)).toFixed(4)} kind ${mean(s.map((x) => x.kindPrecision)).toFixed(3)}`);
    const held = readFileSync(path.join(import.meta.dirname, 'relevance-index/held-out.jsonl'), 'utf8').split('\n').filter(Boolean).map((l) => JSON.parse(l));
    const by: Record<string, number[]> = {}; const kp: number[] = [];
    for (const query of held) {
      const { companies } = await rankQuery(query, subject);
      const first = companies.slice(0, 10);
      const rel = new Set(query.relevant.map(BigInt)); const known = new Set([...query.relevant, ...query.irrelevant].map(BigInt));
      if (query.relevant.length > 0) (by[query.set] ??= []).push(ndcg(first.map((c) => c.companyId).filter((id) => known.has(id)).map((id) => rel.has(id)), rel.size, 10));
      kp.push(first.length === 0 ? 0 : first.filter(({ hits }) => hits.some((h) => subject.corpus.byId.get(h.observationId)?.kind === kindNamed(query.kind))).length / first.length);
    }
    out.push(`62: ${Object.entries(by).map(([k, v]) => `${k} ${mean(v).toFixed(4)}`).join(' ')} kind ${mean(kp).toFixed(3)}`);
  }
  console.log(`${name}: ${out.join(' | ')} load ${readFileSync('/proc/loadavg', 'utf8').slice(0, 4)}`);
}
await subject[Symbol.asyncDispose]();
