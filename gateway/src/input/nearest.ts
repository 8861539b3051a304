import { closestMatch } from 'leven';

/** A longer name is no misspelling; also bounds the time. */
const LONGEST_NAME = 40;
/** `country` to `countries` takes three. */
const MAX_EDITS = 3;

/** The same in another notation, or at most three edits and half of its letters away. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const written = asSnakeCase(name);
  const maxDistance = Math.min(MAX_EDITS, Math.floor(written.length / 2));
  return closestMatch(written, known, { maxDistance });
}

/** `occurredAfter` and `occurred-after` become `occurred_after`. */
function asSnakeCase(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])[A-Z]/g, '_$&')
    .replaceAll('-', '_')
    .toLowerCase();
}
