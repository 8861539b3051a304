/** What is said of an operation's times. */
interface Timed {
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
}

/**
 * The moment that a list of operations is of, where `now` was read before them: no earlier than anything that it says of them,
 * since an operation may have been accepted or have ended in between.
 */
export function seenAt(now: Date, operations: readonly Timed[]): Date {
  const times = operations.flatMap(({ createdAt, finishedAt }) => [createdAt, finishedAt ?? createdAt]);
  return new Date(Math.max(now.getTime(), ...times.map((time) => time.getTime())));
}
