import { closestMatch } from 'leven';

/** A longer name is no misspelling of a field; the bound also limits the time. */
const LONGEST_NAME = 40;
/** Edits that turn a word into another spelling of it, as `country` into `countries`. */
const MAX_EDITS = 3;

/**
 * The name of `known` that `name` seems to mean: the same in another notation, or at most three
 * edits and half of its letters away. Undefined when none is that near.
 */
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
