const DEEPEST = 5;

/** Masks API keys in a message of another library. */
export function redactApiKeys(text: string): string {
  return text.replace(/\bces_(live|test)_[0-9A-Za-z]+/g, 'ces_$1_…');
}

/**
 * Copies name, message, stack, code and cause of an error. Its other members may hold the request
 * with the API key.
 */
export function redactCause(cause: unknown, depth = 0): Error | undefined {
  if (!(cause instanceof Error) || depth > DEEPEST) return undefined;
  const inner = redactCause(cause.cause, depth + 1);
  const copy = new Error(redactApiKeys(cause.message), inner && { cause: inner });
  Object.defineProperty(copy, 'name', { value: cause.name, configurable: true, writable: true });
  if (cause.stack !== undefined) copy.stack = redactApiKeys(cause.stack);
  const { code } = cause as { readonly code?: unknown };
  return typeof code === 'string' ? Object.assign(copy, { code: redactApiKeys(code) }) : copy;
}
