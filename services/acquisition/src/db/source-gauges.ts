import type { Pool } from '@ces/chassis/postgres/pool';
import type { Clock } from '@ces/chassis/service/clock';
import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Sources } from '../connector/sources.ts';
import { readingShare } from './reading-share.ts';
import { isEnabled, readStates } from './source-state.ts';

const GAUGES = {
  'ces.source.age': {
    unit: 's',
    description: 'Time since a scheduled source was last read to its end, or since the start where it never was.',
  },
  'ces.source.interval': { unit: 's', description: 'How often a scheduled source is read.' },
  'ces.source.week.share': {
    unit: '1',
    description: 'How much of what a scheduled source published in the last seven days its readings can have seen.',
  },
  'ces.source.drifting': { unit: '{source}', description: '1 while a source lacks fields that its connector knows.' },
} as const;

interface Parts {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sources: Sources;
}

export function observeSources({ pool, clock, logger, sources }: Parts): AsyncDisposable {
  const startedAt = clock.now();
  return observeGauges(
    GAUGES,
    async () => {
      const stateOf = await readStates(pool);
      return sources.all.flatMap((source) => {
        const state = stateOf(source.name);
        if (!source.schedule || !isEnabled(source, state)) return [];
        const attributes = { source: source.name };
        const age = (clock.now().getTime() - (state.freshAt ?? startedAt).getTime()) / 1_000;
        return [
          { gauge: 'ces.source.interval' as const, value: source.schedule.everyMinutes * 60, attributes },
          { gauge: 'ces.source.drifting' as const, value: state.driftAt ? 1 : 0, attributes },
          { gauge: 'ces.source.age' as const, value: age, attributes },
          { gauge: 'ces.source.week.share' as const, value: readingShare(state.freshAt, clock.now()), attributes },
        ];
      });
    },
    logger,
  );
}
