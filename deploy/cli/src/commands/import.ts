import { type FileHandle, open } from 'node:fs/promises';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Command } from 'commander';
import { type Answer, asChange, type Runner } from '../command.ts';
import { findImportFiles } from '../import/files.ts';
import { type ImportReport, importFiles, type Mapped } from '../import/importer.ts';
import type { Tally } from '../import/tally.ts';
import type { Context } from '../operator/context.ts';
import { waitForIndex } from '../operator/index-position.ts';
import { startProgress } from '../output/progress.ts';
import { count, table } from '../output/table.ts';
import { Refusal } from '../refusal.ts';

interface Options {
  readonly dataset?: string;
  readonly expiry: boolean;
  readonly map?: string;
  readonly skipBad?: boolean;
  readonly waitIndex?: boolean;
}

const BATCH_TIMEOUT_MS = 60_000;

export function define(verb: Command, run: Runner<Context>): void {
  asChange(verb, [
    'import ./corpus',
    'import ./corpus --dataset corpus --no-expiry --map map.jsonl --wait-index',
    'import companies.jsonl.gz observations.jsonl.gz --dataset corpus --skip-bad',
  ])
    .argument('<folder-or-file...>', 'folder or files to import')
    .option('--dataset <name>', 'name of the data set; with the file id it identifies a row (default: folder name)')
    .option('--no-expiry', 'drop expiry dates, so that old observations are delivered')
    .option('--map <file>', 'write the assigned id of each file id to a file, one JSON line each')
    .option('--skip-bad', 'skip and count unreadable lines')
    .option('--wait-index', 'wait until the imported observations can be searched')
    .action(run((context, inputs: string[], options: Options) => importAll(context, inputs, options)));
}

async function importAll(context: Context, inputs: readonly string[], options: Options): Promise<Answer> {
  const files = await findImportFiles(inputs);
  const dataset = options.dataset ?? files.folderName;
  const begun = performance.now();
  const record = context.stack.client('lookup', RecordService, BATCH_TIMEOUT_MS);
  await record.getRecordStatus({});
  await using map = await openMap(options.map);
  const report = await withProgress(context, begun, (onProgress) =>
    importFiles({
      files,
      dataset,
      keepExpiry: options.expiry,
      skipBadLines: options.skipBad ?? false,
      record,
      signal: context.signal,
      onMapped: (rows) => map.write(rows),
      onProgress,
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  const indexSeconds = options.waitIndex && !report.stopped ? await secondsToIndex(context) : undefined;
  const { stopped } = report;
  if (stopped) context.stderr.write(`ces: ${stopped.message}\n`);
  return {
    json: { dataset, ...toJson(report), seconds, index_seconds: indexSeconds, stopped: stopped?.message },
    text: describe(dataset, report, seconds, indexSeconds),
    failed: stopped !== undefined,
  };
}

async function withProgress<T>(
  { stderr }: Context,
  begun: number,
  work: (onProgress: (progress: { lines: number; fraction: number }) => void) => Promise<T>,
): Promise<T> {
  using progress = startProgress(stderr, 'import');
  return await work(({ lines, fraction }) => {
    const rate = Math.round(lines / ((performance.now() - begun) / 1000));
    progress.at(`${count(lines)} lines, ${count(rate)}/s`, fraction);
  });
}

async function secondsToIndex({ stack, signal, stderr }: Context): Promise<number> {
  const begun = performance.now();
  using progress = startProgress(stderr, 'index');
  await waitForIndex(stack, {
    signal,
    onStatus: ({ observations }, fraction) => progress.at(`${count(observations)} observations`, fraction),
  });
  return (performance.now() - begun) / 1000;
}

async function openMap(
  file: string | undefined,
): Promise<AsyncDisposable & { write(rows: readonly Mapped[]): Promise<void> }> {
  let handle: FileHandle | undefined;
  if (file !== undefined)
    handle = await open(file, 'w').catch((error: Error) => {
      throw new Refusal(`${file} cannot be written (${error.message}): choose another file with --map.`);
    });
  return {
    async write(rows) {
      await handle?.appendFile(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    },
    [Symbol.asyncDispose]: async () => handle?.close(),
  };
}

function toJson({ companies, observations }: ImportReport): Record<string, unknown> {
  const tallyJson = ({ reasons, ...counts }: Tally) => ({ ...counts, refused_by_reason: Object.fromEntries(reasons) });
  return { companies: tallyJson(companies), observations: tallyJson(observations) };
}

function describe(
  dataset: string,
  { companies, observations }: ImportReport,
  seconds: number,
  indexSeconds?: number,
): string {
  const row = (name: string, tally: Tally) => [
    name,
    ...[tally.read, tally.created, tally.seen, tally.amended, tally.refused, tally.bad].map(count),
  ];
  const counts = table(
    [`data set ${dataset}`, 'read', 'created', 'seen', 'amended', 'refused', 'unreadable'],
    [row('companies', companies), row('observations', observations)],
  );
  const reasons = [...companies.reasons, ...observations.reasons].map(([reason, lines]) => [count(lines), reason]);
  const lines = companies.read + observations.read;
  return [
    counts,
    ...(reasons.length > 0 ? ['', table(['refused', 'because'], reasons)] : []),
    '',
    `${seconds.toFixed(1)} s, ${count(Math.round(lines / seconds))} lines a second`,
    ...(indexSeconds === undefined ? [] : [`searchable ${indexSeconds.toFixed(1)} s later`]),
  ].join('\n');
}
