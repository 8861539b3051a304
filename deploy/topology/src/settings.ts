import { settings as acquisition } from '@ces/acquisition/config';
import type { Setting, Settings } from '@ces/chassis/service/settings';
import { telemetrySettings } from '@ces/chassis/telemetry/settings';
import { settings as gateway } from '@ces/gateway/config';
import { settings as ledger } from '@ces/ledger/config';
import { settings as lookup } from '@ces/lookup/config';
import { settings as operations } from '@ces/operations/config';
import { settings as search } from '@ces/search/config';
import type { ServiceName } from './services.ts';

/** Everything that a program reads from its environment. */
export const SETTINGS: Readonly<Record<ServiceName, Settings>> = {
  gateway: { ...gateway, ...telemetrySettings },
  operations: { ...operations, ...telemetrySettings },
  ledger: { ...ledger, ...telemetrySettings },
  search: { ...search, ...telemetrySettings },
  lookup: { ...lookup, ...telemetrySettings },
  acquisition: { ...acquisition, ...telemetrySettings },
};

export interface ReadSetting {
  readonly setting: Setting<unknown>;
  readonly programs: readonly string[];
}

/** Each setting once, by name, with the programs that read it. */
export function listSettings(byProgram: Readonly<Record<string, Settings>>): readonly ReadSetting[] {
  const all = Object.entries(byProgram).flatMap(([program, settings]) =>
    Object.values(settings).map((setting) => ({ setting, program })),
  );
  return [...Map.groupBy(all, ({ setting }) => setting.name).values()]
    .flatMap((reads) => (reads[0] ? [{ ...reads[0], programs: reads.map(({ program }) => program) }] : []))
    .sort((a, b) => a.setting.name.localeCompare(b.setting.name));
}
