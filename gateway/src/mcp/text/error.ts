import type { ErrorBody } from '../../schema/error.ts';

export function describeError({ error, usage }: ErrorBody): string {
  const { code, message, retry_at, retry_after_seconds } = error;
  return [
    `${code}: ${message}`,
    ...(retry_at === undefined ? [] : [`Would be admitted from ${retry_at} on.`]),
    ...(retry_after_seconds === undefined ? [] : [`Wait ${retry_after_seconds} s.`]),
    ...(usage ? [`This outcome of operation ${usage.id} is stored; new work needs a new request_key.`] : []),
  ].join('\n');
}
