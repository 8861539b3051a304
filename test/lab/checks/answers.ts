import { isDeepStrictEqual } from 'node:util';
import { type BodyName, bodyFault } from '../../support/contract/bodies.ts';
import type { Answered, Body } from '../load/attempt.ts';

/** C6: all results of one operation are equal, except the allowance, which is the current one. */
export function checkReplays(attempts: readonly Answered[]): string[] {
  const faults: string[] = [];
  const first = new Map<number, Body>();
  for (const { outcome, surface } of attempts) {
    const { usage, request_allowance: _, ...rest } = outcome.body;
    if (outcome.status !== 200 || !usage?.id) continue;
    const body: Body = { ...rest, usage };
    const known = first.get(usage.id) ?? body;
    first.set(usage.id, known);
    if (!isDeepStrictEqual(known, body)) faults.push(`C6 operation ${usage.id} was shown differently over ${surface}`);
  }
  return faults;
}

const RANKS = { pending: 0, processing: 1, delivered: 2, failed: 2 };

/**
 * C8: states only advance, and final states never change. Only answers that do not overlap in time
 * are ordered.
 */
export function checkStates(attempts: readonly Answered[]): string[] {
  const seen = new Map<number, { readonly sentAt: number; readonly receivedAt: number; readonly status: State }[]>();
  for (const { sentAt, receivedAt, outcome } of attempts) {
    const usage = outcome.body.usage;
    if (usage?.id) seen.set(usage.id, [...(seen.get(usage.id) ?? []), { sentAt, receivedAt, status: usage.status }]);
  }
  return [...seen].flatMap(([id, looks]) =>
    looks.flatMap((later) =>
      looks
        .filter((earlier) => earlier.receivedAt < later.sentAt && isStepBack(earlier.status, later.status))
        .slice(0, 1)
        .map((earlier) => `C8 operation ${id} was ${earlier.status} and then ${later.status}`),
    ),
  );
}

type State = keyof typeof RANKS;

function isStepBack(earlier: State, later: State): boolean {
  return RANKS[later] < RANKS[earlier] || (RANKS[earlier] === 2 && later !== earlier);
}

/** C9: every body matches a closed schema of the interface. */
export function checkBodies(attempts: readonly Answered[]): string[] {
  return attempts.flatMap(({ action, outcome, surface }) => {
    const name = bodyName(outcome.status, outcome.body);
    const fault = bodyFault(outcome.body, name);
    return fault
      ? [`C9 ${action} over ${surface}, ${outcome.status}: ${fault} in ${JSON.stringify(outcome.body)}`]
      : [];
  });
}

function bodyName(status: number, body: Body): BodyName {
  if (status === 202) return 'Pending';
  if (status !== 200) return 'Error';
  if ('reservations' in body) return 'UsageReport';
  return 'lookups' in body ? 'CompanyLookupResult' : 'CompanyResult';
}
