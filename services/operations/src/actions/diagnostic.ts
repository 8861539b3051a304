import type { RequestedAction } from './action.ts';

/** POST /api/diagnostics: an operation that the ledger never hears of. */
export function requestDiagnostic(): RequestedAction {
  return {
    input: { action: 'diagnostic', form: {} },
    admit: (_principal, now) => ({
      kind: 'free',
      output: {
        hydrated: [],
        result: {
          items: [],
          details: { action: 'diagnostic' },
          settledCompanyIds: [],
          requestUnits: 0,
          freshEvidenceUnits: 0,
          asOf: now,
          judgedAt: now,
          nextCursor: undefined,
        },
      },
    }),
  };
}
