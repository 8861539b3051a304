import { timestampDate } from '@bufbuild/protobuf/wkt';
import { countryName, kindName } from '@ces/proto/catalog';
import type { ListSourcesResponse } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import {
  type ReasonCount,
  RunStateSchema,
  type SourceRun,
  SourceState,
  SourceStateSchema,
  type SourceStatus,
} from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import type { SourceCoverage } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { enumName } from '../output/plain.ts';
import { count, instant, list, table } from '../output/table.ts';

type Instant = Parameters<typeof timestampDate>[0] | undefined;

const NO_COVERAGE = 'Coverage is not available: the lookup service does not answer.';

/** "week seen": covered share of seven days; "of the week": observations recorded. */
export function sourceTable(
  { sources, schedules, onDemand }: ListSourcesResponse,
  coverage: readonly SourceCoverage[] | undefined,
): string {
  const rows = sources.map((source) => [
    source.name,
    stateOf(source),
    source.everyMinutes === 0 ? 'manual' : `${source.everyMinutes} min`,
    source.onDemand,
    count(source.rawRecords),
    at(source.freshAt),
    source.weekShare === undefined ? '' : `${Math.floor(source.weekShare * 100)} %`,
    coverage && count(ofWeek(coverage.filter((row) => row.source === source.name))),
    source.lastRun ? enumName(RunStateSchema, source.lastRun.state) : 'never',
    source.driftAt ? `drift: ${source.driftMissing.join(', ')}` : '',
  ]);
  const heading = [
    'source',
    'state',
    'every',
    'on demand',
    'raw records',
    'fresh at',
    'week covered',
    'in the week',
    'last run',
    'alarm',
  ];
  const switches = `schedules ${schedules ? 'on' : 'off'}, on-demand sources ${onDemand ? 'on' : 'off'}`;
  const parts = [table(heading, rows, 'No sources.'), switches, ...(coverage ? [] : [NO_COVERAGE])];
  return parts.join('\n\n');
}

export function describeSource(source: SourceStatus, coverage: readonly SourceCoverage[]): string {
  const facts = list([
    ['source', source.name],
    ['title', source.title],
    ['homepage', source.homepage],
    ['licence', `${source.licence} ${source.licenceUri}`],
    ['attribution', source.attribution],
    ['kinds', source.kinds.join(', ')],
    ['state', stateOf(source)],
    ['reason', source.reason],
    ['next run', at(source.nextRunAt)],
    ['fresh at', at(source.freshAt)],
    ['drift', source.driftAt ? `${at(source.driftAt)}: ${source.driftMissing.join(', ')}` : 'none'],
    ['raw records', count(source.rawRecords)],
    ...(source.weekShare === undefined
      ? []
      : [['week covered', `${Math.floor(source.weekShare * 100)} % of what it published in the last 7 days`] as const]),
  ]);
  const settings = source.settings.map(({ name, description, value, secret, required, set }) => [
    name,
    secret ? (set ? '(set)' : '') : value,
    required ? 'required' : '',
    description,
  ]);
  const parts = [facts];
  if (settings.length > 0) parts.push(table(['setting', 'value', '', 'meaning'], settings));
  if (coverage.length > 0) parts.push(coverageTable(coverage));
  if (source.lastRun) parts.push(describeRun(source.lastRun));
  return parts.join('\n\n');
}

function coverageTable(coverage: readonly SourceCoverage[]): string {
  const rows = coverage.map((row) => [
    kindName(row.kind),
    countryName(row.country),
    count(row.weekCount),
    at(row.newestAt),
    hours(row.medianDelayS),
    hours(row.slowDelayS),
  ]);
  return table(['kind', 'country', 'in the week', 'newest event', 'median delay', '90th percentile delay'], rows);
}

function ofWeek(coverage: readonly SourceCoverage[]): bigint {
  return coverage.reduce((sum, { weekCount }) => sum + weekCount, 0n);
}

function hours(seconds: number | undefined): string {
  return seconds === undefined ? '' : `${(seconds / 3_600).toFixed(1)} h`;
}

export function describeRun(run: SourceRun): string {
  const facts = list([
    ['run', `${run.id} of ${run.source}${run.document ? `, ${run.document}` : ''}`],
    ['state', enumName(RunStateSchema, run.state) + (run.failure ? `: ${run.failure}` : '')],
    ['records', `${count(run.records)}, ${count(run.newRecords)} new`],
    ['observations', `${count(run.created)} new, ${count(run.seen)} seen again, ${count(run.amended)} amended`],
    ['companies', count(run.companies)],
    ['closings', count(run.closings)],
    ['time', timing(run)],
    ...(run.driftMissing.length > 0 ? [['missing fields', run.driftMissing.join(', ')] as const] : []),
    ...(run.driftNew.length > 0 ? [['new fields', run.driftNew.join(', ')] as const] : []),
  ]);
  const parts = [facts];
  if (run.refused.length > 0) parts.push(reasons('refused', run.refused));
  if (run.leftOut.length > 0) parts.push(reasons('omitted', run.leftOut));
  return parts.join('\n\n');
}

function reasons(title: string, rows: readonly ReasonCount[]): string {
  return table(
    [title, 'field', 'because', 'for example'],
    rows.map(({ field, reason, count: times, example }) => [count(times), field, reason, example]),
  );
}

function timing({ startedAt, endedAt, records }: SourceRun): string {
  if (!startedAt || !endedAt) return 'running';
  const seconds = (timestampDate(endedAt).getTime() - timestampDate(startedAt).getTime()) / 1000;
  return `${seconds.toFixed(1)} s, ${count(Math.round(Number(records) / Math.max(seconds, 0.001)))} records a second`;
}

function stateOf(source: SourceStatus): string {
  return source.state === SourceState.UNVERIFIED ? 'off, unverified' : enumName(SourceStateSchema, source.state);
}

function at(value: Instant): string {
  return value ? instant(timestampDate(value).toISOString()) : '';
}
