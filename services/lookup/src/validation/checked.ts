/** What a check makes of one record of a batch: a narrower value, or the reason why this one is refused. */
export type Checked<T> = { readonly ok: true; readonly record: T } | { readonly ok: false; readonly reason: string };

/** Why a record is refused; thrown inside a check and turned into its outcome. */
class Refusal extends Error {}

/** Runs a check that refuses by throwing. */
export function check<T>(work: () => T): Checked<T> {
  try {
    return { ok: true, record: work() };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.message };
    throw error;
  }
}

export function refuse(reason: string): never {
  throw new Refusal(reason);
}

/** A text of 1..`max` code points that Postgres can hold. */
export function checkText(name: string, text: string, max: number): string {
  if (text.trim() === '') refuse(`${name} is empty`);
  if (text.length > max && codePoints(text) > max) refuse(`${name} is longer than ${max} characters`);
  if (text.includes('\0')) refuse(`${name} contains a null character`);
  return text;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
