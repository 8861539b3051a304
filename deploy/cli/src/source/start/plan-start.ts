import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  RunState,
  type SourceSetting,
  SourceState,
  type SourceStatus,
} from '@ces/proto/ces/acquisition/v1/source_pb.ts';

/** `none`: nothing to do, for example because only files are read. */
export type Step = 'read' | 'running' | 'fresh' | 'disabled' | 'settings' | 'none';

const MINUTE_MS = 60_000;

export function stepOf(source: SourceStatus, now: Date): Step {
  if (!source.verified || !(source.fetched || source.onDemand)) return 'none';
  if (source.state === SourceState.DISABLED) return 'disabled';
  if (missingSettings(source).length > 0) return 'settings';
  if (!source.fetched) return 'none';
  if (source.lastRun?.state === RunState.RUNNING) return 'running';
  return isFresh(source, now) ? 'fresh' : 'read';
}

export function missingSettings({ settings }: Pick<SourceStatus, 'settings'>): readonly SourceSetting[] {
  return settings.filter(({ required, set }) => required && !set);
}

/** Whether the schedule of the source would not read it again yet. */
function isFresh({ freshAt, everyMinutes }: SourceStatus, now: Date): boolean {
  if (!freshAt) return false;
  return everyMinutes === 0 || now.getTime() - timestampDate(freshAt).getTime() < everyMinutes * MINUTE_MS;
}
