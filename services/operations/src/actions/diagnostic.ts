import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { countDiagnostic } from '../db/diagnostics-asked.ts';
import type { ActionDependencies, RequestedAction } from './action.ts';

export function requestDiagnostic({ db, diagnosticsAnHour }: ActionDependencies): RequestedAction {
  return {
    input: { action: 'diagnostic', form: {} },
    async admit({ accountId }, now) {
      const fullUntil = await countDiagnostic(db, accountId, diagnosticsAnHour);
      if (fullUntil) throw tooMany(diagnosticsAnHour, now, fullUntil);
      return { kind: 'free', output: { hydrated: [], result: resultAt(now) } };
    },
  };
}

function resultAt(now: Date) {
  return {
    items: [],
    details: { action: 'diagnostic' as const },
    settledCompanyIds: [],
    requestUnits: 0,
    freshEvidenceUnits: 0,
    asOf: now,
    judgedAt: now,
    nextCursor: undefined,
  };
}

function tooMany(anHour: number, now: Date, retryAt: Date): Error {
  return fail(
    FailureCode.RATE_LIMITED,
    `This account has asked for ${anHour} diagnostics in this hour: ask again at retry_at, or repeat an earlier request key.`,
    { retryAt, retryAfterSeconds: Math.max(1, Math.ceil((retryAt.getTime() - now.getTime()) / 1000)) },
  );
}
