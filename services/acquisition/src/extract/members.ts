import { refuse } from '../sources/refuse.ts';
import { isObject } from './json.ts';

/** The members of one raw record by dotted path; names with dots are taken literally first. */
export class Members {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #prefix: string;

  constructor(object: Readonly<Record<string, unknown>>, prefix = '') {
    this.#object = object;
    this.#prefix = prefix;
  }

  /** A text, trimmed; a number as text. Undefined when it is absent, null or blank; refused when it is anything else. */
  text(path: string): string | undefined {
    const value = this.#at(path);
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number') return String(value);
    if (typeof value !== 'string') refuse(this.#prefix + path, 'is no text');
    return value.trim() === '' ? undefined : value.trim();
  }

  /** The text, or the record is refused by the path. */
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

  /** The objects of a list; empty when it is absent. */
  list(path: string): Members[] {
    return this.#items(path).map((item, index) =>
      isObject(item) ? new Members(item, `${path}[${index}].`) : refuse(`${this.#prefix}${path}`, 'holds no objects'),
    );
  }

  /** The texts of a list; empty when it is absent. */
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

/** The members of a raw record that `jsonContent` wrote. */
export function readMembers(content: string): Members {
  const value: unknown = JSON.parse(content);
  return isObject(value) ? new Members(value) : refuse('record', 'is no object');
}

/**
 * The raw content of a row or JSON object: members sorted at every depth, those named in `contactFields` left out at every
 * depth, so that the same record has the same hash in whatever order the source writes it. What lies deeper than in any format
 * is left out.
 */
export function jsonContent(value: unknown, contactFields: readonly string[] = []): string {
  const dropped = new Set(contactFields);
  return JSON.stringify(sorted(value, dropped, 0));
}

/** Levels of any format's records, and characters of the name of one of its members. */
const MOST_LEVELS = 100;
const MOST_NAME_CHARACTERS = 500;

/**
 * Dotted names of the members an object carries, lists as `name`, for `RawRecord.fields`; those longer than any format's are
 * left out with what is in them.
 */
export function fieldNames(value: unknown): string[] {
  const names: string[] = [];
  addNames(names, value, '');
  return names;
}

/** The names of those that are there, for `RawRecord.fields` of a record whose source writes none. */
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
