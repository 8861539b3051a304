import type { Source } from '../connector/source.ts';
import type { SourceState } from './source-state.ts';

export type SourceSecrets = ReadonlyMap<string, string>;

export function isEnabled(source: Source, state: SourceState): boolean {
  return state.enabled ?? source.verified;
}

export function settingsOf(
  source: Source,
  state: SourceState,
  secrets: SourceSecrets,
): { readonly values: ReadonlyMap<string, string>; readonly missing: readonly string[] } {
  const values = new Map<string, string>();
  const missing: string[] = [];
  for (const setting of source.settings ?? []) {
    const value = setting.secret ? secrets.get(`${source.name}.${setting.name}`) : state.settings[setting.name];
    if (value) values.set(setting.name, value);
    else if (setting.required) missing.push(setting.name);
  }
  return { values, missing };
}
