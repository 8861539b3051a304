import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { StartupError } from '@ces/chassis/service/lifecycle';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Ledger } from '../ledger/ledger.ts';

/** Clocks of two databases, and passes of the ledger's pruner, lie apart by less than this, in milliseconds. */
const MARGIN_MS = 3_600_000;

/**
 * Since when what operations says may be said to the ledger again: what is older the ledger may have forgotten, and would take
 * anew (promise R32). Throws where the ledger cannot say it, and where it keeps less than operations does.
 */
export async function readSayableSince(
  ledger: Pick<Ledger, 'readRetention'>,
  config: { readonly retentionMs: number },
): Promise<Date> {
  const retention = await ledger.readRetention();
  const disagreement = disagreementOf(retention, config);
  if (disagreement !== undefined) throw fail(FailureCode.INVALID_REQUEST, disagreement);
  return sayableSince(retention);
}

/** The same of one operation, whatever the settings say. */
export async function readKeptSince(ledger: Pick<Ledger, 'readRetention'>): Promise<Date> {
  return sayableSince(await ledger.readRetention());
}

function sayableSince({ keptSince }: { readonly keptSince: Date }): Date {
  return new Date(keptSince.getTime() + MARGIN_MS);
}

/** Refuses to start on settings that disagree. A ledger that cannot be asked yet is asked before anything is reconciled. */
export async function checkRetention(
  ledger: Pick<Ledger, 'readRetention'>,
  config: { readonly retentionMs: number },
  logger: Logger,
): Promise<void> {
  const retention = await ledger.readRetention().catch((error: unknown) => {
    logger.info({ err: error }, 'the ledger does not say yet how long it keeps; asked again before reconciling');
  });
  const disagreement = retention && disagreementOf(retention, config);
  if (disagreement) throw new StartupError(disagreement);
}

function disagreementOf(
  { keptMs }: Awaited<ReturnType<Ledger['readRetention']>>,
  { retentionMs }: { readonly retentionMs: number },
): string | undefined {
  if (keptMs >= retentionMs) return undefined;
  return `The ledger keeps postings for ${days(keptMs)} days and operations are kept for ${days(retentionMs)}: CES_LEDGER_KEPT_DAYS must not be less than CES_OPERATIONS_RETENTION_MS says.`;
}

function days(ms: number): number {
  return Math.round(ms / 86_400_000);
}
