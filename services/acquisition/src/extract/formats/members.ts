import { refuse } from '../../connector/refuse.ts';
import { isObject } from './json.ts';

/** Reads by dotted path. A name that contains dots is tried literally first. */
export class Members {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #prefix: string;

  constructor(object: Readonly<Record<string, unknown>>, prefix = '') {
    this.#object = object;
    this.#prefix = prefix;
  }

  /** Trimmed; a number as text. Undefined if absent, null or blank; refuses other types. */
  text(path: string): string | undefined {
    const value = this.#at(path);
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number') return String(value);
    if (typeof value !== 'string') refuse(this.#prefix + path, 'is no text');
    return value.trim() === '' ? undefined : value.trim();
  }

  need(path: string): string {
    return this.text(path) ?? refuse(this.#prefix + path, 'is missing');
  }

  number(path: string): number | undefined {
    const value = this.#at(path);
    if (value === undefined || value === null || value === '') return undefined;
    const number = typeof value === 'string' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : refuse(this.#prefix + path, 'is no number');
  }

  flag(path: string): boolean | undefined {
    const value = this.#at(path);
    return typeof value === 'boolean' ? value : undefined;
  }

  list(path: string): Members[] {
    return this.#items(path).map((item, index) =>
      isObject(item) ? new Members(item, `${path}[${index}].`) : refuse(`${this.#prefix}${path}`, 'holds no objects'),
    );
  }

  texts(path: string): string[] {
    return this.#items(path).flatMap((item) => (typeof item === 'string' && item.trim() !== '' ? [item.trim()] : []));
  }

  #items(path: string): readonly unknown[] {
    const value = this.#at(path);
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value : refuse(this.#prefix + path, 'is no list');
  }

  #at(path: string): unknown {
    if (Object.hasOwn(this.#object, path)) return this.#object[path];
    return path
      .split('.')
      .reduce<unknown>(
        (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
        this.#object,
      );
  }
}

export function readMembers(content: string): Members {
  const value: unknown = JSON.parse(content);
  return isObject(value) ? new Members(value) : refuse('record', 'is no object');
}

/** No source nests records this deep. Deeper content is dropped. */
const MOST_LEVELS = 100;

/** Changes each text at every depth. `path`: member names; an item of a list adds an empty name. */
export function mapTexts(
  value: unknown,
  change: (text: string, path: readonly string[]) => string,
  path: readonly string[] = [],
): unknown {
  if (path.length > MOST_LEVELS) return undefined;
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, [...path, '']));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapTexts(member, change, [...path, name])]),
  );
}

/** Sorted members give one hash in any member order. Leaves out `contactFields` at every depth. */
export function jsonContent(value: unknown, contactFields: readonly string[] = []): string {
  const dropped = new Set(contactFields);
  return JSON.stringify(sorted(value, dropped, 0));
}

/** No source's records exceed this bound. */
const MOST_NAME_CHARACTERS = 500;

export function fieldNames(value: unknown): string[] {
  const names: string[] = [];
  addNames(names, value, '');
  return names;
}

export function carried(values: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value?.trim() ? [name] : []));
}

function addNames(names: string[], value: unknown, prefix: string): void {
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (member === null || member === undefined || prefix.length + name.length > MOST_NAME_CHARACTERS) continue;
    names.push(prefix + name);
    addNames(names, member, `${prefix}${name}.`);
  }
}

function sorted(value: unknown, dropped: ReadonlySet<string>, level: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (level >= MOST_LEVELS) return undefined;
  if (Array.isArray(value)) return value.map((item) => sorted(item, dropped, level + 1));
  if (!isObject(value)) return value;
  const names = Object.keys(value).filter((name) => !dropped.has(name));
  return Object.fromEntries(names.sort().map((name) => [name, sorted(value[name], dropped, level + 1)]));
}
