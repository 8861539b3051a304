/** A failure that the person who publishes can fix; the message is one sentence. */
export class PublishFailure extends Error {
  override readonly name = 'PublishFailure';
}

export function failureOf(what: string, error: unknown): PublishFailure {
  const said = (error instanceof Error ? error.message : String(error))
    .replace(/^\w+ failed: /, '')
    .split('\n')
    .find((line) => line.trim() !== '');
  return new PublishFailure(`${what}: ${(said ?? 'no word of why').replace(/^Error:? /, '').trim()}`, { cause: error });
}
