import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ListSourcesResponseSchema } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { type SourceStatusSchema, SourceState as StateValue } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import type { Source } from '../connector/source.ts';
import { countRawRecords } from '../db/raw-record.ts';
import { readingShare } from '../db/reading-share.ts';
import { newestRuns, type SourceRun } from '../db/source-run.ts';
import { isEnabled, readStates, type SourceSecrets, type SourceState, settingsOf } from '../db/source-state.ts';
import type { Dependencies } from './dependencies.ts';
import { toRunMessage } from './run-message.ts';

type SourceStatus = MessageInitShape<typeof SourceStatusSchema>;

interface SourceFacts {
  readonly state: SourceState;
  readonly secrets: SourceSecrets;
  readonly lastRun: SourceRun | undefined;
  readonly rawRecords: bigint;
  readonly now: Date;
}

export async function readStatuses(
  { pool, config, clock }: Pick<Dependencies, 'pool' | 'config' | 'clock'>,
  sources: readonly Source[],
): Promise<SourceStatus[]> {
  const names = sources.map(({ name }) => name);
  const [stateOf, runs, kept] = await Promise.all([readStates(pool), newestRuns(pool, names), countRawRecords(pool)]);
  return sources.map((source) =>
    toSourceStatus(source, {
      state: stateOf(source.name),
      secrets: config.secrets,
      lastRun: runs.get(source.name),
      rawRecords: kept.get(source.name) ?? 0n,
      now: clock.now(),
    }),
  );
}

function toSourceStatus(source: Source, facts: SourceFacts): SourceStatus {
  const { state } = facts;
  return {
    name: source.name,
    title: source.title,
    homepage: source.homepage,
    licence: source.licence.name,
    licenceUri: source.licence.uri,
    attribution: source.licence.attribution,
    kinds: [...source.kinds],
    verified: source.verified,
    onDemand: source.mode === 'on_demand',
    everyMinutes: source.schedule?.everyMinutes ?? 0,
    fetched: source.requests !== undefined,
    state: stateValue(source, state),
    reason: state.reason,
    ...(state.nextRunAt && { nextRunAt: timestampFromDate(state.nextRunAt) }),
    ...(state.freshAt && { freshAt: timestampFromDate(state.freshAt) }),
    ...(state.driftAt && { driftAt: timestampFromDate(state.driftAt) }),
    driftMissing: [...state.driftMissing],
    settings: settingRows(source, facts),
    ...(facts.lastRun && { lastRun: toRunMessage(facts.lastRun) }),
    rawRecords: facts.rawRecords,
    ...(source.schedule && { weekShare: readingShare(state.freshAt, facts.now) }),
  };
}

function stateValue(source: Source, state: SourceState): StateValue {
  if (isEnabled(source, state)) return StateValue.ENABLED;
  return state.enabled === false ? StateValue.DISABLED : StateValue.UNVERIFIED;
}

function settingRows(source: Source, { state, secrets }: SourceFacts) {
  const { values } = settingsOf(source, state, secrets);
  return (source.settings ?? []).map(({ name, description, secret = false, required = false }) => ({
    name,
    description,
    secret,
    required,
    set: values.has(name),
    value: secret ? '' : (values.get(name) ?? ''),
  }));
}

export async function listSources(
  dependencies: Dependencies,
): Promise<MessageInitShape<typeof ListSourcesResponseSchema>> {
  const { sources, config } = dependencies;
  const { schedules, onDemand } = config;
  return { sources: await readStatuses(dependencies, sources.all), schedules, onDemand };
}
