import { readForm, type SearchForm, writeForm } from '../form/form.ts';

export interface SavedSearch {
  readonly name: string;
  readonly search: string;
  readonly savedAt: string;
  readonly lastAsOf?: string;
}

export const MAX_SAVED = 200;
export const MAX_NAME = 80;
const FORMAT = 'ces-saved-searches';

export interface ReadSearches {
  readonly searches: readonly SavedSearch[];
  readonly unreadable: number;
}

export function writeFile(searches: readonly SavedSearch[]): string {
  return `${JSON.stringify({ format: FORMAT, version: 1, searches }, null, 2)}\n`;
}

/** Undefined when the text is no such file. Each search is normalised as an address is. */
export function readFile(text: string): ReadSearches | undefined {
  const { format, version, searches } = fieldsOf(parseJson(text));
  if (format !== FORMAT || version !== 1 || !Array.isArray(searches)) return undefined;
  return readSearches(searches);
}

export function parseStored(stored: string | null): readonly SavedSearch[] {
  const value = parseJson(stored ?? '[]');
  return Array.isArray(value) ? readSearches(value).searches : [];
}

/** Compares searches, not their names. */
export function merge(known: readonly SavedSearch[], added: readonly SavedSearch[]): readonly SavedSearch[] {
  const bySearch = new Map(known.map((one) => [one.search, one]));
  for (const one of added) if (!bySearch.has(one.search)) bySearch.set(one.search, one);
  return [...bySearch.values()].slice(0, MAX_SAVED);
}

/** Ignores the cost and the time since which evidence was collected. */
export function isSameSearch(a: string, b: string): boolean {
  return essenceOf(a) === essenceOf(b);
}

export function noteAnswer(known: readonly SavedSearch[], search: string, asOf: string): readonly SavedSearch[] {
  return known.map((one) =>
    isSameSearch(one.search, search) && (one.lastAsOf ?? '') < asOf ? { ...one, lastAsOf: asOf } : one,
  );
}

/** The form that finds evidence collected since the last answer; undefined before the first. */
export function formOfNews({ search, lastAsOf }: SavedSearch): SearchForm | undefined {
  return lastAsOf === undefined ? undefined : { ...readForm(search), observedAfter: lastAsOf };
}

function essenceOf(search: string): string {
  return writeForm({ ...readForm(search), observedAfter: '', background: false });
}

function readSearches(values: readonly unknown[]): ReadSearches {
  const searches = values.flatMap((value) => readSearch(value) ?? []);
  return { searches: searches.slice(0, MAX_SAVED), unreadable: values.length - searches.length };
}

function readSearch(value: unknown): SavedSearch | undefined {
  const { name, search, savedAt, lastAsOf } = fieldsOf(value);
  if (typeof name !== 'string' || name.trim() === '' || typeof search !== 'string' || !isInstant(savedAt))
    return undefined;
  const form = readForm(search);
  if (form.query.trim() === '') return undefined;
  return {
    name: name.trim().slice(0, MAX_NAME),
    search: writeForm(form),
    savedAt,
    ...(isInstant(lastAsOf) && { lastAsOf }),
  };
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && Number.isFinite(Date.parse(value));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
