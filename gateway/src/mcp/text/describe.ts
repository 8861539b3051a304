import type { OperationBody } from '../../output/answer.ts';
import type { ErrorBody } from '../../schema/error.ts';
import type { Pending } from '../../schema/operation.ts';
import { describeCompanyLookup } from './company-lookup.ts';
import { describeCompanySearch } from './company-search.ts';
import { allowanceText, oneLine } from './lines.ts';

/** Code points; may quote client input. */
const MESSAGE_LENGTH = 2_000;

/** Text for a model, much shorter than JSON, with the newest evidence; at most MAX_TEXT_TOKENS. */
export function describe(body: OperationBody): string {
  if ('error' in body) return describeError(body);
  if ('lookups' in body) return describeCompanyLookup(body);
  if ('coverage' in body) return describeCompanySearch(body);
  if (body.usage.status !== 'delivered') return describePending(body);
  return `Operation ${body.usage.id} is delivered.`; // No tool returns another body.
}

function describeError({ error, usage }: ErrorBody): string {
  const { code, message, retry_at, retry_after_seconds } = error;
  return [
    `${code}: ${oneLine(message, MESSAGE_LENGTH)}`,
    ...(retry_at === undefined ? [] : [`Would be admitted from ${retry_at} on.`]),
    ...(retry_after_seconds === undefined ? [] : [`Wait ${retry_after_seconds} s.`]),
    ...(usage ? [`This outcome of operation ${usage.id} is stored; new work needs a new request_key.`] : []),
  ].join('\n');
}

function describePending({ usage, request_allowance }: Pending): string {
  return `Not finished: operation ${usage.id} is ${usage.status}. Wait a few seconds, then repeat this call with the same arguments and the same request_key; that costs nothing. Now ${allowanceText(request_allowance)}.`;
}
