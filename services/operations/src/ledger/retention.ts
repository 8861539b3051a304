import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { StartupError } from '@ces/chassis/service/lifecycle';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Ledger } from './ledger.ts';

/** Bounds the clock difference of two databases, and the interval of the ledger's pruner. */
const MARGIN_MS = 3_600_000;

/**
 * The ledger may have deleted older operations and would book them again (promise R32). Throws when
 * it does not answer or keeps records for a shorter time than operations.
 */
export async function readRepairableSince(
  ledger: Pick<Ledger, 'readRetention'>,
  config: { readonly retentionMs: number },
): Promise<Date> {
  const retention = await ledger.readRetention();
  const disagreement = disagreementOf(retention, config);
  if (disagreement !== undefined) throw fail(FailureCode.INVALID_REQUEST, disagreement);
  return repairableSince(retention);
}

export async function readKeptSince(ledger: Pick<Ledger, 'readRetention'>): Promise<Date> {
  return repairableSince(await ledger.readRetention());
}

function repairableSince({ keptSince }: { readonly keptSince: Date }): Date {
  return new Date(keptSince.getTime() + MARGIN_MS);
}

/** Refuses settings that disagree. While the ledger is unreachable, the reconciliation checks. */
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
