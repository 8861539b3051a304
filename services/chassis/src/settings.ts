export interface Setting<T> {
  readonly name: string;
  readonly description: string;
  readonly secret: boolean;
  readonly default: string | undefined;
  readonly parse: (text: string) => T;
}

export type Settings = Record<string, Setting<unknown>>;
export type SettingValues<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

export function readSettings<S extends Settings>(settings: S, env: NodeJS.ProcessEnv): SettingValues<S> {
  const mistakes: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(settings)) {
    const text = env[setting.name] || setting.default;
    if (text === undefined) {
      mistakes.push(`${setting.name} is not set: ${setting.description}.`);
      continue;
    }
    try {
      values[key] = setting.parse(text);
    } catch (error) {
      mistakes.push(`${setting.name} ${(error as Error).message}: ${setting.description}.`);
    }
  }
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return values as SettingValues<S>;
}

interface SettingOptions {
  readonly default?: string;
  readonly secret?: boolean;
}

function setting<T>(
  name: string,
  description: string,
  options: SettingOptions,
  parse: (text: string) => T,
): Setting<T> {
  return { name, description, secret: options.secret ?? false, default: options.default, parse };
}

export function text(name: string, description: string, options: SettingOptions = {}): Setting<string> {
  return setting(name, description, options, (value) => value);
}

export function integer(
  name: string,
  description: string,
  options: SettingOptions & { readonly min?: number; readonly max?: number } = {},
): Setting<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  return setting(name, description, options, (value) => {
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  });
}

export function share(name: string, description: string, options: SettingOptions = {}): Setting<number> {
  return setting(name, description, options, (value) => {
    const number = Number(value);
    if (value.trim() === '' || !(number >= 0 && number <= 1)) throw new Error('must be a number from 0 to 1');
    return number;
  });
}

export function oneOf<T extends string>(
  name: string,
  description: string,
  values: readonly T[],
  options: SettingOptions = {},
): Setting<T> {
  return setting(name, description, options, (value) => {
    if (!values.includes(value as T)) throw new Error(`must be one of ${values.join(', ')}`);
    return value as T;
  });
}

export function flag(name: string, description: string, options: SettingOptions = {}): Setting<boolean> {
  return setting(name, description, { default: 'false', ...options }, (value) => {
    if (value !== 'true' && value !== 'false') throw new Error('must be true or false');
    return value === 'true';
  });
}

export function url(
  name: string,
  description: string,
  options: SettingOptions & { readonly schemes: readonly string[] },
): Setting<string> {
  return setting(name, description, options, (value) => {
    if (value === '' && options.default === '') return value;
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (!parsed || !options.schemes.includes(parsed.protocol.replace(':', '')))
      throw new Error(`must be an address that starts with ${options.schemes.join(':// or ')}://`);
    return value;
  });
}

export function pairs(
  name: string,
  description: string,
  options: SettingOptions = {},
): Setting<ReadonlyMap<string, string>> {
  return setting(name, description, options, parsePairs);
}

export function parsePairs(value: string): ReadonlyMap<string, string> {
  const result = new Map<string, string>();
  for (const part of value.split(/[,\n]/).filter(Boolean)) {
    const at = part.indexOf('=');
    if (at < 1 || result.has(part.slice(0, at))) throw new Error('must be name=value pairs separated by commas');
    result.set(part.slice(0, at), part.slice(at + 1));
  }
  return result;
}
