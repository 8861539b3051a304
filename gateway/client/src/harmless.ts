const DEEPEST = 5;

/** A text of somebody else, without the API keys it may repeat. */
export function hideKeys(text: string): string {
  return text.replace(/\bces_(live|test)_[0-9A-Za-z]+/g, 'ces_$1_…');
}

/** What is known of an error of somebody else, which may carry the request with its API key: its name, message, stack, code and cause. */
export function harmlessCause(cause: unknown, depth = 0): Error | undefined {
  if (!(cause instanceof Error) || depth > DEEPEST) return undefined;
  const inner = harmlessCause(cause.cause, depth + 1);
  const copy = new Error(hideKeys(cause.message), inner && { cause: inner });
  Object.defineProperty(copy, 'name', { value: cause.name, configurable: true, writable: true });
  if (cause.stack !== undefined) copy.stack = hideKeys(cause.stack);
  const { code } = cause as { readonly code?: unknown };
  return typeof code === 'string' ? Object.assign(copy, { code: hideKeys(code) }) : copy;
}
