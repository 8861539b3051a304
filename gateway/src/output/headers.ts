import type { Allowance } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { RenderedAnswer } from './answer.ts';

export type Headers = Readonly<Record<string, string>>;

/** Names each source's licence and attribution; on every result. */
export const LICENCE_LINK = '</sources>; rel="license"';

/** Seconds a client should wait between polls. */
const POLL_SECONDS = '2';

/** What closed bodies leave no room for (decisions.md, Order of checks, 4), in all. */
export function answerHeaders(answer: OperationAnswer, rendered: RenderedAnswer): Headers {
  return { ...operationHeaders(answer), ...headersOf(rendered) };
}

function headersOf(rendered: RenderedAnswer): Headers {
  switch (rendered.kind) {
    case 'finished':
      return { link: LICENCE_LINK };
    case 'pending':
      return { location: `/api/usages/${rendered.body.usage.id}`, 'retry-after': POLL_SECONDS };
    case 'failed':
      return {};
  }
}

/** Those that say which operation it is and what it cost. */
export function operationHeaders(answer: OperationAnswer): Headers {
  const { usage, allowance, replayed } = answer;
  const units = usage?.units;
  return {
    ...(usage && {
      'usage-id': String(usage.id),
      'units-settled': `request=${units?.requestUnits ?? 0}, delivered=${units?.deliveredUnits ?? 0}, fresh=${units?.freshEvidenceUnits ?? 0}`,
    }),
    ...(replayed && { 'idempotent-replayed': 'true' }),
    ...(allowance && allowanceHeaders(allowance)),
  };
}

const WEEK_SECONDS = 604_800;

/** Request units by the IETF draft's structured fields: quota, remaining, seconds until the oldest counted unit leaves. */
export function allowanceHeaders(allowance: Allowance): Headers {
  const { windowLimit, windowSeconds, windowRemaining, windowResetSeconds } = allowance;
  const { weeklyLimit, weeklyRemaining, weeklyResetSeconds } = allowance;
  return {
    'ratelimit-policy': `"window";q=${windowLimit};w=${windowSeconds}, "week";q=${weeklyLimit};w=${WEEK_SECONDS}`,
    ratelimit: `"window";r=${windowRemaining};t=${windowResetSeconds}, "week";r=${weeklyRemaining};t=${weeklyResetSeconds}`,
  };
}
