import { setTimeout as pause } from 'node:timers/promises';
import {
  AcquisitionAdminService,
  ListSourcesResponseSchema,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import {
  RunState,
  type SourceRun,
  SourceRunSchema,
  type SourceStatus,
  SourceStatusSchema,
} from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import type { Command } from 'commander';
import { collect } from '../arguments.ts';
import { type Answer, addChange, addVerb, type Context, type Runner } from '../command.ts';
import { plain } from '../output/plain.ts';
import { startProgress } from '../output/progress.ts';
import { count } from '../output/table.ts';
import { ingestFile } from '../source/ingest-file.ts';
import { describeRun, describeSource, sourceTable } from '../source/source-text.ts';

const FOLLOW_EVERY_MS = 500;

export function define(group: Command, run: Runner): void {
  addVerb(group, 'list', 'shows every source with its state, freshness and newest run', ['source list']).action(
    run(async ({ stack }) => {
      const answer = await stack.client('acquisition', AcquisitionAdminService).listSources({});
      return { json: plain(ListSourcesResponseSchema, answer), text: sourceTable(answer) };
    }),
  );

  addVerb(group, 'show', 'shows a source with its settings, terms and newest run', ['source show ocds'])
    .argument('<name>', 'the source')
    .action(
      run(async ({ stack }, name: string) => {
        const { sources } = await stack.client('acquisition', AcquisitionAdminService).listSources({});
        return showSource(sources.find((source) => source.name === name));
      }),
    );

  addChange(group, 'run', 'fetches what is new at a source and records it', ['source run ocds'])
    .argument('<name>', 'the source')
    .action(run(runSource));

  addChange(group, 'ingest', 'reads files as if the source had answered them; again: nothing new', [
    'source ingest ocds releases.json.gz',
  ])
    .argument('<name>', 'the source')
    .argument('<files...>', 'its documents, `.gz` too')
    .action(run(ingest));

  addChange(group, 'enable', 'lets a source be used, even one that is not verified', ['source enable ocds'])
    .argument('<name>', 'the source')
    .action(
      run(async ({ stack, reason }, name: string) => {
        const request = { name, enabled: true, reason };
        return showSource((await stack.client('acquisition', AcquisitionAdminService).setSource(request)).source);
      }),
    );

  addChange(group, 'disable', 'stops a source: nothing is fetched, read or asked any more', [
    'source disable ocds --reason "publisher asked us to stop"',
  ])
    .argument('<name>', 'the source')
    .action(
      run(async ({ stack, reason }, name: string) => {
        const request = { name, enabled: false, reason };
        return showSource((await stack.client('acquisition', AcquisitionAdminService).setSource(request)).source);
      }),
    );

  addChange(group, 'set', 'changes settings of a source; an empty value takes one away', [
    'source set greenhouse --setting boards=acme,globex',
  ])
    .argument('<name>', 'the source')
    .requiredOption('--setting <name=value>', 'several times', collect(asPair))
    .action(
      run(async ({ stack }, name: string, { setting }: { setting: [string, string][] }) => {
        const request = { name, settings: Object.fromEntries(setting) };
        return showSource((await stack.client('acquisition', AcquisitionAdminService).setSource(request)).source);
      }),
    );
}

function asPair(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function showSource(source: SourceStatus | undefined): Answer {
  if (!source) return { json: undefined, text: 'There is no source of that name.', failed: true };
  return { json: plain(SourceStatusSchema, source), text: describeSource(source) };
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
