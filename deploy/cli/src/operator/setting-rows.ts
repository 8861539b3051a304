import { settings as acquisition } from '@ces/acquisition/config';
import { ConfigurationError, readSettings, type Setting, type Settings } from '@ces/chassis/service/settings';
import { telemetrySettings } from '@ces/chassis/telemetry/settings';
import { settings as gateway } from '@ces/gateway/config';
import { settings as ledger } from '@ces/ledger/config';
import { settings as lookup } from '@ces/lookup/config';
import { settings as operations } from '@ces/operations/config';
import { settings as search } from '@ces/search/config';
import { settings as ces } from './config.ts';

const PROGRAMS: Readonly<Record<string, Settings>> = { gateway, operations, ledger, search, lookup, acquisition, ces };

export interface SettingRow {
  readonly name: string;
  readonly programs: string[];
  readonly description: string;
  readonly default: string | undefined;
  readonly secret: boolean;
  readonly value: string | undefined;
  readonly mistake: string | undefined;
}

export function listSettings(env: NodeJS.ProcessEnv): SettingRow[] {
  const rows = new Map<string, SettingRow>();
  for (const [program, settings] of Object.entries(PROGRAMS))
    for (const setting of Object.values(program === 'ces' ? settings : { ...settings, ...telemetrySettings })) {
      const known = rows.get(setting.name);
      if (known) known.programs.push(program);
      else rows.set(setting.name, rowOf(setting, program, env));
    }
  return [...rows.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function rowOf(setting: Setting<unknown>, program: string, env: NodeJS.ProcessEnv): SettingRow {
  const { name, description, secret } = setting;
  const value = env[name] || undefined;
  return {
    name,
    programs: [program],
    description,
    default: setting.default || undefined,
    secret,
    value: secret && value !== undefined ? '(set)' : value,
    mistake: value === undefined ? undefined : mistakeIn(setting, env),
  };
}

function mistakeIn(setting: Setting<unknown>, env: NodeJS.ProcessEnv): string | undefined {
  try {
    readSettings({ setting }, env);
    return undefined;
  } catch (error) {
    return error instanceof ConfigurationError ? error.message : String(error);
  }
}
