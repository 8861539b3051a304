interface Timed {
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
}

/**
 * The `as_of` of a list of operations when `now` was read before them. It is no earlier than any of
 * their times, since one may have been accepted or have ended in between.
 */
export function listAsOf(now: Date, operations: readonly Timed[]): Date {
  const times = operations.flatMap(({ createdAt, finishedAt }) => [createdAt, finishedAt ?? createdAt]);
  return new Date(Math.max(now.getTime(), ...times.map((time) => time.getTime())));
}
