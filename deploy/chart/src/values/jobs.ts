import { flag, group, integer, type Value } from './value.ts';

export const JOBS = {
  migrations: group('A Job a database, before new pods start.', {
    enabled: flag('Whether the chart migrates.', true),
    activeDeadlineSeconds: integer('How long one may take.', 900, 1),
    connectSeconds: integer('How long a migration waits for a server that does not answer.', 60, 0),
    bootstrapSeconds: integer(
      'How long it waits, beside its deadline, for a cluster of CloudNativePG that is being made.',
      3_600,
      0,
    ),
    lockTimeoutMs: integer(
      'How long a migration waits for a table that others use, in milliseconds; they wait behind it.',
      500,
      1,
      60_000,
    ),
    attempts: integer('How often it tries, with pauses as long as it waited, before the Job fails.', 60, 1, 1_000),
  }),
  shutdown: group('How pods end.', {
    drainSeconds: integer(
      'How long a pod still serves after it was told to end, so that nobody is sent to it any more.',
      5,
      0,
      30,
    ),
    graceSeconds: integer('How long a pod may take to end in all; more than drainSeconds and 40.', 60, 45),
  }),
} satisfies Record<string, Value>;
