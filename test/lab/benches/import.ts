import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findImportFiles } from '@ces/cli/import/files';
import { count, list } from '@ces/cli/output/table';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, runBenchmark } from '../support/bench.ts';
import { STANDARD_SEED, writeGeneratedSet } from '../support/generated.ts';
import { type Imported, importFolder } from '../support/import.ts';
import { processorSeconds, secondsByDatabase } from '../support/processor-time.ts';
import { startBenchServer } from '../support/server.ts';
import { openBenchStack } from '../support/stack.ts';

const USAGE =
  'npm run lab -- import [FOLDER] [--companies N] [--observations N] [--seed N] [--again] [--json FILE] [--stack DATA_DIRECTORY]';
const COMPANIES = 5_000;
const OBSERVATIONS = 20_000;

const { positionals, values: options } = readArguments(USAGE, {
  companies: { type: 'string' },
  observations: { type: 'string' },
  seed: { type: 'string' },
  again: { type: 'boolean' },
  json: { type: 'string' },
  stack: { type: 'string' },
});
const seed = atLeastOne(options.seed, STANDARD_SEED);
const load = os.loadavg()[0] ?? 0;

await runBenchmark(measure, options.json);

/**
 * Imports a folder or a generated set. Reports rows a second, the time until search finds all, and
 * processor time by process. With --again also measures an import without new rows.
 */
async function measure(signal: AbortSignal): Promise<Figures> {
  await using folder = await folderToImport();
  const files = await findImportFiles([folder.path]);
  await using server = options.stack === undefined ? await startBenchServer() : undefined;
  const rounds: Round[] = [];
  await using bench = await openBenchStack({ directory: options.stack, sample: false, server, signal });
  const { postgres: own, ...services } = bench.pids;
  const programs = { importer: process.pid, ...services };
  const postgres = server?.pid ?? own ?? 0;
  const readTimes = () =>
    new Map([
      ...Object.entries(programs).map(([name, pid]) => [name, processorSeconds(pid)] as const),
      ...[...secondsByDatabase(postgres)].map(([name, seconds]) => [`postgres ${name}`, seconds] as const),
    ]);
  for (let round = 0; round < (options.again ? 2 : 1); round += 1) {
    const before = readTimes();
    const imported = await importFolder(bench.stack, files, signal);
    const after = readTimes();
    const { companies, observations } = imported.report;
    const processorMs = Object.fromEntries(
      [...after].map(([name, time]) => [name, ((time - (before.get(name) ?? 0)) * 1_000) / observations.read]),
    );
    rounds.push({ imported, processorMs, created: companies.created + observations.created });
  }
  return {
    json: { load, seed: positionals.length > 0 ? undefined : seed, rounds: rounds.map(toJson) },
    text: rounds.map(toText).join('\n\n'),
  };
}

interface Round {
  readonly imported: Imported;
  readonly created: number;
  /** Processor ms an observation by process, from the first line until all are searchable. */
  readonly processorMs: Readonly<Record<string, number>>;
}

function toJson({ imported, created, processorMs }: Round) {
  const { report, seconds, indexSeconds } = imported;
  return {
    companies: report.companies.read,
    observations: report.observations.read,
    created,
    refused: report.companies.refused + report.observations.refused,
    seconds,
    observations_per_second: report.observations.read / seconds,
    index_seconds_after: indexSeconds,
    processor_ms: processorMs,
    all_processor_ms: sum(processorMs),
  };
}

function toText(round: Round): string {
  const figures = toJson(round);
  const costs = Object.entries(round.processorMs).toSorted(([, a], [, b]) => b - a);
  return list([
    ['load before, seed', `${load.toFixed(1)}, ${positionals.length > 0 ? 'none' : seed}`],
    ['companies', count(figures.companies)],
    ['observations', count(figures.observations)],
    ['created', count(figures.created)],
    ['refused', count(figures.refused)],
    ['recorded in', `${figures.seconds.toFixed(1)} s`],
    ['observations a second', count(Math.round(figures.observations_per_second))],
    ['searchable after another', `${figures.index_seconds_after.toFixed(1)} s`],
    ['processor ms an observation', figures.all_processor_ms.toFixed(3)],
    ...costs.map(([name, ms]): [string, string] => [`  ${name}`, ms.toFixed(3)]),
  ]);
}

function sum(processorMs: Readonly<Record<string, number>>): number {
  return Object.values(processorMs).reduce((total, ms) => total + ms, 0);
}

async function folderToImport(): Promise<AsyncDisposable & { readonly path: string }> {
  const [given] = positionals;
  if (given !== undefined) return { path: given, async [Symbol.asyncDispose]() {} };
  const made = await mkdtemp(path.join(os.tmpdir(), 'ces-generated-'));
  await writeGeneratedSet(
    made,
    atLeastOne(options.companies, COMPANIES),
    atLeastOne(options.observations, OBSERVATIONS),
    seed,
  );
  return { path: made, [Symbol.asyncDispose]: () => rm(made, { recursive: true }) };
}
