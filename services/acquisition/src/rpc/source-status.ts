import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type SourceStatusSchema, SourceState as StateValue } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import type { SourceRun } from '../db/source-run.ts';
import type { SourceState } from '../db/source-state.ts';
import { isEnabled, type SourceSecrets, settingsOf } from '../sources/settings.ts';
import type { Source } from '../sources/source.ts';
import { readingShare } from '../telemetry/reading-share.ts';
import { toRunMessage } from './run-message.ts';

export interface SourceFacts {
  readonly state: SourceState;
  readonly secrets: SourceSecrets;
  readonly lastRun: SourceRun | undefined;
  readonly rawRecords: bigint;
  readonly now: Date;
}

export function toSourceStatus(source: Source, facts: SourceFacts): MessageInitShape<typeof SourceStatusSchema> {
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
    state: stateOf(source, state),
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

function stateOf(source: Source, state: SourceState): StateValue {
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
