import { processOfHolder } from '@ces/chassis/postgres/lease';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { type PeriodicTask, startPeriodicTask } from '@ces/chassis/service/periodic-task';
import type { Logger } from '@ces/chassis/telemetry/log';

export interface PartitionCandidate {
  readonly lease: string;
  /**
   * Releases the lease. Seeks it again after other processes had time to acquire it, unless the
   * signal aborts.
   */
  yieldLease(signal: AbortSignal): Promise<void>;
}

export interface BalanceOptions {
  readonly db: Queryable;
  readonly process: string;
  readonly partitions: readonly PartitionCandidate[];
  readonly everyMs: number;
  readonly logger: Logger;
}

interface LeaseRow {
  readonly name: string;
  readonly holder: string;
  readonly is_claimed: boolean;
}

/** Another process has too many partitions from this difference on. */
const TOO_MANY = 2;
const JITTER = 0.5;

export function startBalancing(options: BalanceOptions): PeriodicTask {
  const run = (signal: AbortSignal) => balance(options, signal);
  return startPeriodicTask({ ...options, name: 'balancing partitions', jitter: JITTER, run });
}

async function balance(
  { db, process, partitions, everyMs, logger }: BalanceOptions,
  signal: AbortSignal,
): Promise<void> {
  const rows = await readLeases(db, partitions, everyMs);
  const byProcess = Map.groupBy(rows, ({ holder }) => processOfHolder(holder));
  const mine = byProcess.get(process) ?? [];
  const claimed = partitions.find(({ lease }) => mine.some(({ name, is_claimed }) => name === lease && is_claimed));
  if (claimed && mine.length > 1) {
    logger.info({ lease: claimed.lease }, 'partition given to a process that has fewer');
    await db.query('delete from partition_claim where lease = $1', [claimed.lease]);
    await claimed.yieldLease(signal);
    return;
  }
  const largest = [...byProcess.values()].toSorted((a, b) => b.length - a.length)[0];
  const wanted = largest?.at(-1);
  if (!largest || !wanted || largest.length < mine.length + TOO_MANY) return;
  await db.query(
    `insert into partition_claim (lease, claimed_at) values ($1, clock_timestamp())
     on conflict on constraint partition_claim_key do update set claimed_at = excluded.claimed_at`,
    [wanted.name],
  );
}

/** Returns the held leases. The lease of the first partition comes first, so it moves last. */
async function readLeases(
  db: Queryable,
  partitions: readonly PartitionCandidate[],
  everyMs: number,
): Promise<LeaseRow[]> {
  const { rows } = await db.query<LeaseRow>(
    `select name, holder, coalesce(claimed_at > clock_timestamp() - $2 * interval '1 millisecond', false) as is_claimed
       from unnest($1::text[]) with ordinality as partition (name, number)
       join lease using (name)
       left join partition_claim on partition_claim.lease = name
      where until > clock_timestamp() order by number`,
    [partitions.map(({ lease }) => lease), everyMs * 3],
  );
  return rows;
}
