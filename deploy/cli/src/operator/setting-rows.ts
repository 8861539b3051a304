import { ConfigurationError, readSettings, type Setting } from '@ces/chassis/service/settings';
import { listSettings, type ReadSetting, SETTINGS } from '@ces/topology/settings';
import { settings as ces } from './config.ts';

export interface SettingRow {
  readonly name: string;
  readonly programs: readonly string[];
  readonly description: string;
  readonly default: string | undefined;
  readonly secret: boolean;
  readonly value: string | undefined;
  readonly mistake: string | undefined;
}

export function settingRows(env: NodeJS.ProcessEnv): SettingRow[] {
  return listSettings({ ...SETTINGS, ces }).map((read) => rowOf(read, env));
}

function rowOf({ setting, programs }: ReadSetting, env: NodeJS.ProcessEnv): SettingRow {
  const { name, description, secret } = setting;
  const value = env[name] || undefined;
  return {
    name,
    programs,
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
