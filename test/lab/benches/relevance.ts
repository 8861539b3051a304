import path from 'node:path';
import { findImportFiles } from '@ces/cli/import/files';
import { startProgress } from '@ces/cli/output/progress';
import { table } from '@ces/cli/output/table';
import { Refusal } from '@ces/cli/refusal';
import { refusalOf } from '@ces/cli/rpc-refusal';
import { CesClient } from '@ces/client';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { AMPLE, createAccount } from '../load/subscribers.ts';
import { readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { percentile } from '../support/figures.ts';
import { openBenchStack } from '../support/stack.ts';
import { readFacts, readJudgments } from './relevance/files.ts';
import { importFolder } from './relevance/import.ts';
import { PAGE_LIMIT, rank } from './relevance/rank.ts';
import { type Scores, scoreQuery } from './relevance/score.ts';
import { mean } from './relevance-index/measures.ts';

const USAGE = 'npm run lab -- relevance FOLDER [--judgments FILE] [--json FILE] [--stack DATA_DIRECTORY]';

const { positionals, values: options } = readArguments(USAGE, {
  judgments: { type: 'string' },
  json: { type: 'string' },
  stack: { type: 'string' },
});

const HEADS = [
  'family',
  'queries',
  'nDCG@10',
  'recall@100',
  'nDCG by id',
  'obs nDCG@10',
  'kind P@10',
  'p50 ms',
  'p95 ms',
];

interface Scored {
  readonly queryId: string;
  readonly family: string;
  readonly scores: Scores;
  readonly firstPageMs: number;
}

await runBenchmark(measure, options.json);

/** Imports the folder, runs every judged query over the public interface and scores the answers. */
async function measure(signal: AbortSignal): Promise<Figures> {
  const [folder] = positionals;
  if (folder === undefined) throw new Refusal(`Name a folder: ${USAGE}`);
  const files = await findImportFiles([folder]);
  const judgments = await readJudgments(options.judgments ?? path.join(folder, 'judgments.jsonl'));
  const facts = await readFacts(files.observations);
  await using bench = await openBenchStack({ directory: options.stack, sample: false, signal });
  const ids = await importFolder(bench.stack, files, signal);
  const limits = { ...AMPLE, pageLimit: PAGE_LIMIT };
  const { tokens } = await createAccount(bench.stack.client('ledger', LedgerAdminService), limits, 1);
  const gateway = new CesClient({ baseUrl: bench.stack.addressOf('gateway'), apiKey: tokens[0] ?? '' });

  using progress = startProgress(process.stderr, 'queries');
  const scored: Scored[] = [];
  for (const [index, judgment] of judgments.entries()) {
    goOn(signal);
    const { queryId, family } = judgment;
    const { companies, firstPageMs } = await rank(gateway, judgment, ids).catch((error: unknown) => {
      throw new Refusal(`Query ${queryId} was not answered: ${refusalOf(error).message}`);
    });
    scored.push({ queryId, family, scores: scoreQuery(judgment, companies, (id) => facts.get(id)), firstPageMs });
    progress.at(`${index + 1} of ${judgments.length}`, (index + 1) / judgments.length);
  }
  const families = [...Map.groupBy(scored, ({ family }) => family)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = [...families, ['all', scored] as const].map(([name, own]) => rowOf(name, own));
  return { json: { queries: scored }, text: table(HEADS, rows) };
}

function rowOf(family: string, own: readonly Scored[]): (string | number)[] {
  const meanOf = (name: keyof Scores) => mean(own.map(({ scores }) => scores[name])).toFixed(3);
  const times = own.map(({ firstPageMs }) => firstPageMs);
  return [
    ...[family, own.length],
    ...(['ndcg', 'recall', 'ndcgById', 'observations', 'kinds'] as const).map(meanOf),
    ...[0.5, 0.95].map((share) => Math.round(percentile(times, share))),
  ];
}
