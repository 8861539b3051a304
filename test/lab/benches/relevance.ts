import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findImportFiles } from '@ces/cli/import/files';
import { startProgress } from '@ces/cli/output/progress';
import { Refusal } from '@ces/cli/refusal';
import { refusalOf } from '@ces/cli/rpc-refusal';
import { CesClient } from '@ces/client';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { AMPLE, createAccount } from '../load/subscribers.ts';
import { readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { importFolder } from '../support/import.ts';
import { openBenchStack } from '../support/stack.ts';
import { readCompaniesOf, readFacts, readJudgments } from './relevance/files.ts';
import { PAGE_LIMIT, rank } from './relevance/rank.ts';
import { reportRows, reportText, type Scored } from './relevance/report.ts';
import { scoreQuery } from './relevance/score.ts';

const USAGE = 'npm run lab -- relevance FOLDER [--judgments FILE] [--json FILE] [--run FILE] [--stack DATA_DIRECTORY]';

const { positionals, values: options } = readArguments(USAGE, {
  judgments: { type: 'string' },
  json: { type: 'string' },
  run: { type: 'string' },
  stack: { type: 'string' },
});

/** Some families were judged by the industry labels of this source. */
const LABELS = 'finance_database';
const JUDGED_BY_LABELS = /_by_industry$/;

await runBenchmark(measure, options.json);

/** Imports the folder, runs every judged query over the public interface and scores the answers. */
async function measure(signal: AbortSignal): Promise<Figures> {
  const [folder] = positionals;
  if (folder === undefined) throw new Refusal(`Name a folder: ${USAGE}`);
  const files = await findImportFiles([folder]);
  const judgments = await readJudgments(options.judgments ?? path.join(folder, 'judgments.jsonl'));
  const facts = await readFacts(files.observations);
  const labelled = await readCompaniesOf(LABELS, files.companies);
  await using bench = await openBenchStack({ directory: options.stack, sample: false, signal });
  const { ids } = await importFolder(bench.stack, files, signal);
  const limits = { ...AMPLE, pageLimit: PAGE_LIMIT };
  const { tokens } = await createAccount(bench.stack.client('ledger', LedgerAdminService), limits, 1);
  const gateway = new CesClient({ baseUrl: bench.stack.addressOf('gateway'), apiKey: tokens[0] ?? '' });

  using progress = startProgress(process.stderr, 'queries');
  const scored: Scored[] = [];
  const cut: Scored[] = [];
  const run: string[] = [];
  for (const [index, judgment] of judgments.entries()) {
    goOn(signal);
    const { companies, firstPageMs } = await rank(gateway, judgment, ids).catch((error: unknown) => {
      throw new Refusal(`Query ${judgment.queryId} was not answered: ${refusalOf(error).message}`);
    });
    const score = (ranking: typeof companies) => scoreQuery(judgment, ranking, (id) => facts.get(id));
    const { queryId, family } = judgment;
    scored.push({ queryId, family, scores: score(companies), firstPageMs });
    if (JUDGED_BY_LABELS.test(family)) {
      const judgeable = companies.filter(({ id }) => labelled.has(id));
      cut.push({ queryId, family: `${family}, labelled companies`, scores: score(judgeable), firstPageMs });
    }
    run.push(`${JSON.stringify({ query_id: judgment.queryId, companies })}\n`);
    progress.at(`${index + 1} of ${judgments.length}`, (index + 1) / judgments.length);
  }
  if (options.run !== undefined) await writeFile(options.run, run.join(''));
  const rows = reportRows(scored, cut);
  return { json: { families: rows, queries: scored }, text: reportText(rows) };
}
