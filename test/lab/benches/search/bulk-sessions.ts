import pg from 'pg';

/** A laboratory machine has at least two processors. */
export const SESSIONS = 2;

/** Runs the statements in parallel sessions. Any failure, including one of `onDone`, aborts all. */
export async function runInSessions(
  ownerUrl: string,
  settings: Readonly<Record<string, string>>,
  statements: readonly string[],
  onDone: (share: number) => void,
): Promise<void> {
  const waiting = statements.values();
  let done = 0;
  const failed = new AbortController();
  const work = async () => {
    await using session = await openSession(ownerUrl, settings);
    for (const statement of waiting) {
      failed.signal.throwIfAborted();
      await session.client.query(statement);
      done += 1;
      onDone(done / statements.length);
    }
  };
  const stopping = () =>
    work().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });
  await Promise.all(Array.from({ length: SESSIONS }, stopping));
}

export async function openSession(ownerUrl: string, settings: Readonly<Record<string, string>> = {}) {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const client = new pg.Client({ connectionString: ownerUrl, options: options.join(' ') });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}
