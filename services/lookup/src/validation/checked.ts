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
