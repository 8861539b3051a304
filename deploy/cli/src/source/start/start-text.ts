import {
  RunState,
  RunStateSchema,
  type SourceRun,
  SourceRunSchema,
  type SourceStatus,
} from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import type { Answer } from '../../command.ts';
import { enumName, plain } from '../../output/plain.ts';
import { count, table } from '../../output/table.ts';
import type { Followed, Searchable } from './follow-runs.ts';
import { missingSettings, wantsContact } from './plan-start.ts';

export interface Started extends Followed {
  readonly fresh: readonly SourceStatus[];
  readonly disabled: readonly SourceStatus[];
  readonly lacking: readonly SourceStatus[];
  readonly schedules: boolean;
  readonly isInterrupted: boolean;
}

const NO_ANSWER =
  'No source answered: check the Internet connection or set CES_ACQUISITION_PROXY, or take the fictional sample with npm run stop && npm start -- --fresh.';

export function describeStart(started: Started): Answer {
  const { runs, fresh, disabled, lacking, searchable, schedules, isInterrupted } = started;
  const isSilent = areSilent(runs);
  const failed = runs.every(({ state }) => state === RunState.FAILED) && fresh.length === 0;
  const isGoingOn = runs.some(({ state }) => state === RunState.RUNNING);
  const sentences = [
    isSilent ? NO_ANSWER : searchableText(searchable),
    ...(isGoingOn
      ? [`${isInterrupted ? 'Interrupted. ' : ''}Reading continues in the service: npx ces source list.`]
      : []),
    ...(fresh.length > 0 ? [`Read within its interval already: ${names(fresh)}.`] : []),
    ...(disabled.length > 0 ? [`Disabled by an operator: ${names(disabled)}.`] : []),
    ...(isSilent ? [] : lackTexts(lacking)),
    ...(schedules ? [] : ['Schedules are off. CES_ACQUISITION_SCHEDULES=true reads sources again at their interval.']),
  ];
  return {
    json: {
      runs: runs.map((run) => plain(SourceRunSchema, run)),
      fresh: fresh.map(({ name }) => name),
      disabled: disabled.map(({ name }) => name),
      lacking: lacking.map((source) => ({
        name: source.name,
        settings: missingSettings(source).map(({ name }) => name),
      })),
      searchable: {
        observations: Number(searchable.observations),
        companies: Number(searchable.companies),
        after_seconds: searchable.afterSeconds ?? null,
      },
    },
    text: [...(runs.length > 0 ? [runTable(runs), ''] : []), ...sentences].join('\n'),
    failed,
  };
}

function runTable(runs: readonly SourceRun[]): string {
  const rows = runs.map(({ source, state, records, created, companies, failure }) => [
    source,
    enumName(RunStateSchema, state),
    count(records),
    count(created),
    count(companies),
    failure,
  ]);
  return table(['source', 'state', 'records', 'new observations', 'companies', ''], rows);
}

function searchableText({ observations, companies, afterSeconds }: Searchable): string {
  if (observations === 0n) return 'Nothing can be searched yet.';
  const first = afterSeconds === undefined ? '' : `, the first after ${afterSeconds.toFixed(0)} s`;
  return `${count(observations)} observations of ${count(companies)} companies can be searched${first}.`;
}

/** No source sent a byte, which is mostly the lack of an Internet connection. */
function areSilent(runs: readonly SourceRun[]): boolean {
  return runs.length > 0 && runs.every(({ state, bytes }) => state === RunState.FAILED && bytes === 0n);
}

function lackTexts(sources: readonly SourceStatus[]): readonly string[] {
  const kinds = Map.groupBy(sources, (source) => {
    if (missingSettings(source).some(({ secret }) => secret)) return 'key';
    return wantsContact(source) ? 'contact' : 'list';
  });
  const [contact = [], key = [], list = []] = [kinds.get('contact'), kinds.get('key'), kinds.get('list')];
  const lacks = (source: SourceStatus) =>
    `${source.name} (${missingSettings(source)
      .map((one) => one.name)
      .join(', ')})`;
  return [
    ...(contact.length > 0
      ? [`Not read without a contact address: ${names(contact)}. Run npx ces source start --contact data@example.com.`]
      : []),
    ...(key.length > 0
      ? [`Not asked without a key: ${key.map(lacks).join(', ')}. Set CES_SOURCE_SECRETS of acquisition.`]
      : []),
    ...(list.length > 0
      ? [`Not read without a list: ${list.map(lacks).join(', ')}. Run npx ces source set NAME --setting LIST=….`]
      : []),
  ];
}

function names(sources: readonly SourceStatus[]): string {
  return sources.map(({ name }) => name).join(', ');
}
