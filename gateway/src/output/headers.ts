import type { Allowance } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';

export type Headers = Readonly<Record<string, string>>;

/** RFC 8288; the page lists licences and attributions. */
export const LICENCE_LINK = '</sources>; rel="license"';

export function renderOperationHeaders(answer: OperationAnswer): Headers {
  const { usage, allowance, replayed } = answer;
  const units = usage?.units;
  return {
    ...(usage && {
      'usage-id': String(usage.id),
      'units-settled': `request=${units?.requestUnits ?? 0}, delivered=${units?.deliveredUnits ?? 0}, fresh=${units?.freshEvidenceUnits ?? 0}`,
    }),
    ...(replayed && { 'idempotent-replayed': 'true' }),
    ...(allowance && renderAllowanceHeaders(allowance)),
  };
}

const WEEK_SECONDS = 604_800;

/**
 * draft-ietf-httpapi-ratelimit-headers-11, in requests. `r` is available for `t` seconds; then the
 * oldest counted unit leaves the window.
 */
export function renderAllowanceHeaders(allowance: Allowance): Headers {
  const { windowLimit, windowSeconds, windowRemaining, windowResetSeconds } = allowance;
  const { weeklyLimit, weeklyRemaining, weeklyResetSeconds } = allowance;
  return {
    'ratelimit-policy': `"window";q=${windowLimit};w=${windowSeconds}, "week";q=${weeklyLimit};w=${WEEK_SECONDS}`,
    ratelimit: `"window";r=${windowRemaining};t=${windowResetSeconds}, "week";r=${weeklyRemaining};t=${weeklyResetSeconds}`,
  };
}
