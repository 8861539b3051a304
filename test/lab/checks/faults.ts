import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Attempt } from '../load/attempt.ts';

/** Start and end of a fault, in ms since 1970. */
export interface FaultWindow {
  readonly from: number;
  readonly to: number;
}

/** Grace period after a fault in which calls may fail. */
const HEALED_AFTER_MS = 30_000;

/**
 * C10: server errors occur only during a fault or its grace period, and only as 503 with
 * Retry-After.
 */
export function checkErrors(attempts: readonly Attempt[], windows: readonly FaultWindow[]): string[] {
  const isExcused = ({ sentAt, receivedAt }: Attempt) =>
    windows.some(({ from, to }) => receivedAt >= from && sentAt <= to + HEALED_AFTER_MS);
  return attempts.flatMap((attempt) => {
    const { outcome, action, surface, key } = attempt;
    const about = `C10 ${action} over ${surface} (key ${key})`;
    if (outcome.kind === 'lost') return isExcused(attempt) ? [] : [`${about}: no answer (${outcome.reason})`];
    if (outcome.status < 500) return [];
    if (outcome.status !== 503) return [`${about}: ${outcome.status} ${outcome.body.error?.code}`];
    if (!outcome.retryAfter) return [`${about}: 503 without Retry-After`];
    return isExcused(attempt) ? [] : [`${about}: 503 while nothing was broken (${outcome.body.error?.message})`];
  });
}

const FORBIDDEN = [
  /unhandledRejection/i,
  /uncaughtException/i,
  /deadlock detected/i,
  /ces_(live|test)_[0-9A-Za-z]{38}/,
];

/** C11: no log contains a token, an unhandled rejection or a deadlock. */
export async function checkLogs(directory: string, secrets: readonly string[]): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.log'));
  const found = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(directory, name), 'utf8');
      const said = FORBIDDEN.flatMap((pattern) => pattern.exec(text)?.[0].slice(0, 20) ?? []);
      const leaked = secrets.some((secret) => text.includes(secret)) ? ['a secret'] : [];
      return [...said, ...leaked].map((what) => `C11 ${name} says ${what}`);
    }),
  );
  return found.flat();
}
