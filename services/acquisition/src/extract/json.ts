/** An object of JSON whose members are not checked yet. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** What has members; a list has none. */
export function isObject(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined for a text that is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text, or a number as text; empty for anything else, which may not even have a text. */
export function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
