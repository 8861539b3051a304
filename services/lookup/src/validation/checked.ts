export type Checked<T> = { readonly ok: true; readonly record: T } | { readonly ok: false; readonly reason: string };

class Refusal extends Error {}

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
