import { setTimeout as pause } from 'node:timers/promises';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  AcquisitionAdminService,
  ListSourcesResponseSchema,
  type SetSourceRequestSchema,
  TrySourceResponseSchema,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import {
  RunState,
  type SourceRun,
  SourceRunSchema,
  type SourceStatus,
  SourceStatusSchema,
} from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { type SourceCoverage, SourceCoverageSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Command } from 'commander';
import { collect, wholeNumber } from '../arguments.ts';
import { type Answer, addChange, addVerb, asChange, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import { silentService } from '../operator/rpc-refusal.ts';
import { plain } from '../output/plain.ts';
import { startProgress } from '../output/progress.ts';
import { count } from '../output/table.ts';
import { ingestFile } from '../source/ingest-file.ts';
import { keepExchanges } from '../source/keep-exchanges.ts';
import { describeRun, describeSource, sourceTable } from '../source/source-text.ts';
import { contactArgument } from '../source/start/plan-start.ts';
import { startSources } from '../source/start/start-sources.ts';
import { describeTry } from '../source/try-text.ts';

const FOLLOW_EVERY_MS = 500;
const TRY_TIMEOUT_MS = 120_000;

export function define(group: Command, run: Runner<Context>): void {
  addReading(group, run);
  addFetching(group, run);
  addChanging(group, run);
}

function addReading(group: Command, run: Runner<Context>): void {
  addVerb(group, 'list', 'List sources with state, freshness and newest run.', ['source list']).action(
    run(async ({ stack }) => {
      const { answer, coverage } = await readSources(stack);
      const rows = coverage?.map((row) => plain(SourceCoverageSchema, row)) ?? null;
      return {
        json: { ...plain(ListSourcesResponseSchema, answer), coverage: rows },
        text: sourceTable(answer, coverage),
      };
    }),
  );
  addVerb(group, 'show', 'Show a source with its settings, terms and newest run.', ['source show ocds'])
    .argument('<name>', 'name of the source')
    .action(
      run(async ({ stack }, name: string) => {
        const { answer, coverage } = await readSources(stack);
        const own = coverage?.filter((row) => row.source === name);
        return showSource(
          answer.sources.find((source) => source.name === name),
          own,
        );
      }),
    );
}

function addFetching(group: Command, run: Runner<Context>): void {
  asChange(
    group.command('start').description('Read every verified source that has what it needs, and show the progress.'),
    ['source start', 'source start --contact data@example.com'],
    'started by ces source start',
  )
    .option('--contact <address>', 'e-mail address for sources that ask for one', contactArgument)
    .option('--until-searchable', 'return when something can be searched; reading continues in the service')
    .action(run(startSources));

  addChange(group, 'run', 'Fetch and record new documents of a source.', ['source run ocds'])
    .argument('<name>', 'name of the source')
    .action(run(runSource));
  asChange(
    group.command('try').description('Fetch documents of a source and show what it would record. Records nothing.'),
    [
      'source try lever --setting sites=acme',
      'source try sam_api --query "snow removal"',
      'source try sec_8k --pages 3 --keep ./exchanges',
    ],
    'to try it',
  )
    .argument('<name>', 'name of the source, which may be disabled')
    .option('--pages <number>', 'largest number of documents, 1 to 5, including linked documents', wholeNumber(1, 5), 1)
    .option('--records <number>', 'largest number of records per document, 1 to 200', wholeNumber(1, 200), 50)
    .option('--setting <name=value>', 'use this setting only for this try, repeatable', collect(asPair), [])
    .option('--query <words>', 'query, for a source that answers queries', '')
    .option('--keep <folder>', 'write each response as received into a folder, for a test')
    .action(run(trySource));
  addChange(group, 'ingest', 'Import files as documents of a source. Safe to repeat.', [
    'source ingest ocds releases.json.gz',
  ])
    .argument('<name>', 'name of the source')
    .argument('<files...>', 'documents of the source, also `.gz`')
    .action(run(ingest));
}

function addChanging(group: Command, run: Runner<Context>): void {
  addChange(group, 'enable', 'Enable a source, even an unverified one.', ['source enable ocds'])
    .argument('<name>', 'name of the source')
    .action(run(({ stack, reason }, name: string) => setSource(stack, { name, enabled: true, reason })));
  addChange(group, 'disable', 'Disable a source: no fetches, imports or queries.', [
    'source disable ocds --reason "publisher asked us to stop"',
  ])
    .argument('<name>', 'name of the source')
    .action(run(({ stack, reason }, name: string) => setSource(stack, { name, enabled: false, reason })));
  addChange(group, 'set', 'Change settings of a source. An empty value removes a setting.', [
    'source set greenhouse --setting boards=acme,globex',
  ])
    .argument('<name>', 'name of the source')
    .requiredOption('--setting <name=value>', 'setting to change, repeatable', collect(asPair))
    .action(
      run(({ stack }, name: string, { setting }: { setting: [string, string][] }) =>
        setSource(stack, { name, settings: Object.fromEntries(setting) }),
      ),
    );
}

async function setSource(
  stack: Context['stack'],
  request: MessageInitShape<typeof SetSourceRequestSchema>,
): Promise<Answer> {
  return showSource((await stack.client('acquisition', AcquisitionAdminService).setSource(request)).source);
}

/** Coverage is undefined when lookup does not answer. */
async function readSources(stack: Context['stack']) {
  const [answer, coverage] = await Promise.all([
    stack.client('acquisition', AcquisitionAdminService).listSources({}),
    stack
      .client('lookup', LookupService)
      .listSources({})
      .then((record) => record.coverage, whereSilent),
  ]);
  return { answer, coverage };
}

function whereSilent(error: unknown): undefined {
  if (silentService(error) === undefined) throw error;
}

function asPair(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function showSource(source: SourceStatus | undefined, coverage: readonly SourceCoverage[] | undefined = []): Answer {
  if (!source) return { json: undefined, text: 'There is no source with this name.', failed: true };
  const rows = coverage.map((row) => plain(SourceCoverageSchema, row));
  return {
    json: { ...plain(SourceStatusSchema, source), ...(rows.length > 0 && { coverage: rows }) },
    text: describeSource(source, coverage),
  };
}

async function runSource(context: Context, name: string): Promise<Answer> {
  const acquisition = context.stack.client('acquisition', AcquisitionAdminService);
  const { runId } = await acquisition.runSource({ name });
  using progress = startProgress(context.stderr, name);
  for (;;) {
    const { run } = await acquisition.getRun({ runId });
    if (!run || run.state !== RunState.RUNNING || context.signal.aborted) return answer(run ? [run] : []);
    progress.at(`${count(run.requests)} requests, ${count(run.records)} records`);
    await pause(FOLLOW_EVERY_MS, undefined, { signal: context.signal }).catch(() => undefined);
  }
}

interface TryChoices {
  readonly pages: number;
  readonly records: number;
  readonly setting: readonly [string, string][];
  readonly query: string;
  readonly keep?: string;
}

async function trySource(context: Context, name: string, choices: TryChoices): Promise<Answer> {
  const { pages, records, query, setting, keep } = choices;
  const acquisition = context.stack.client('acquisition', AcquisitionAdminService, TRY_TIMEOUT_MS);
  using progress = startProgress(context.stderr, name);
  progress.at('requesting, within the rate limit of the source');
  const request = { name, pages, records, query, settings: Object.fromEntries(setting), exchanges: keep !== undefined };
  const answer = await acquisition.trySource(request, { signal: context.signal });
  const kept = keep === undefined ? [] : await keepExchanges(keep, name, answer.pages);
  const shown = { pages: answer.pages.map((page) => ({ ...page, exchange: new Uint8Array() })) };
  return {
    json: { ...plain(TrySourceResponseSchema, create(TrySourceResponseSchema, shown)), kept },
    text: [describeTry(answer.pages), ...kept.map((file) => `wrote ${file}`)].join('\n'),
    failed: answer.pages.some(({ failure }) => failure !== ''),
  };
}

async function ingest(context: Context, name: string, files: readonly string[]): Promise<Answer> {
  const runs: SourceRun[] = [];
  for (const file of files) {
    if (context.signal.aborted) break;
    runs.push(await ingestFile(context, name, file));
  }
  return answer(runs);
}

function answer(runs: readonly SourceRun[]): Answer {
  return {
    json: { runs: runs.map((one) => plain(SourceRunSchema, one)) },
    text: runs.map(describeRun).join('\n\n'),
    failed: runs.some((one) => one.state !== RunState.DONE),
  };
}
