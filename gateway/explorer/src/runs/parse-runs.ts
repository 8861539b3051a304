import type { Run, RunPage } from './run.ts';

/** A malformed one would break a screen at every load. */
export function parseRuns(stored: string | null): readonly Run[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter(isRun) : [];
  } catch {
    return [];
  }
}

function isRun(value: unknown): value is Run {
  const { id, search, input, background, pages } = fieldsOf<Run>(value);
  return (
    typeof id === 'string' &&
    typeof search === 'string' &&
    typeof fieldsOf<Run['input']>(input).query === 'string' &&
    typeof background === 'boolean' &&
    Array.isArray(pages) &&
    pages.length > 0 &&
    pages.every(isPage)
  );
}

function isPage(value: unknown): boolean {
  const { requestKey, pressedAt } = fieldsOf<RunPage>(value);
  return typeof requestKey === 'string' && Number.isFinite(pressedAt);
}

function fieldsOf<T>(value: unknown): { readonly [name in keyof T]?: unknown } {
  return typeof value === 'object' && value !== null ? value : {};
}
