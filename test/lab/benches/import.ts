import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findImportFiles } from '@ces/cli/import/files';
import { count, list } from '@ces/cli/output/table';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, runBenchmark } from '../support/bench.ts';
import { writeGeneratedSet } from '../support/generated.ts';
import { importFolder } from '../support/import.ts';
import { openBenchStack } from '../support/stack.ts';

const USAGE =
  'npm run lab -- import [FOLDER] [--companies N] [--observations N] [--json FILE] [--stack DATA_DIRECTORY]';
const COMPANIES = 5_000;
const OBSERVATIONS = 20_000;

const { positionals, values: options } = readArguments(USAGE, {
  companies: { type: 'string' },
  observations: { type: 'string' },
  json: { type: 'string' },
  stack: { type: 'string' },
});

await runBenchmark(measure, options.json);

/** Imports a folder, or a generated set, and says how many rows a second were recorded and how soon all could be searched. */
async function measure(signal: AbortSignal): Promise<Figures> {
  await using folder = await folderToImport();
  const files = await findImportFiles([folder.path]);
  await using bench = await openBenchStack({ directory: options.stack, sample: false, signal });
  const { report, seconds, indexSeconds } = await importFolder(bench.stack, files, signal);
  const { companies, observations } = report;
  const figures = {
    companies: companies.read,
    observations: observations.read,
    created: companies.created + observations.created,
    refused: companies.refused + observations.refused,
    seconds,
    observations_per_second: observations.read / seconds,
    index_seconds_after: indexSeconds,
  };
  const text = list([
    ['companies', count(figures.companies)],
    ['observations', count(figures.observations)],
    ['created', count(figures.created)],
    ['refused', count(figures.refused)],
    ['recorded in', `${seconds.toFixed(1)} s`],
    ['observations a second', count(Math.round(figures.observations_per_second))],
    ['searchable after another', `${indexSeconds.toFixed(1)} s`],
  ]);
  return { json: figures, text };
}

async function folderToImport(): Promise<AsyncDisposable & { readonly path: string }> {
  const [given] = positionals;
  if (given !== undefined) return { path: given, async [Symbol.asyncDispose]() {} };
  const made = await mkdtemp(path.join(os.tmpdir(), 'ces-generated-'));
  await writeGeneratedSet(
    made,
    atLeastOne(options.companies, COMPANIES),
    atLeastOne(options.observations, OBSERVATIONS),
  );
  return { path: made, [Symbol.asyncDispose]: () => rm(made, { recursive: true }) };
}
