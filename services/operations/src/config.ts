import { callLimitSettings } from '@ces/chassis/limits/settings';
import { brokerSettings } from '@ces/chassis/nats/settings';
import { callerSettings, peerUrl, serviceSettings } from '@ces/chassis/serve';
import { flag, integer, type SettingValues } from '@ces/chassis/service/settings';
import { cursorKeys } from './cursor/keys.ts';

const HOUR_MS = 3_600_000;

export const settings = {
  ...serviceSettings('operations', 9102),
  ...brokerSettings,
  ...callerSettings,
  ...callLimitSettings,
  ledgerUrl: peerUrl('ledger', 9101),
  searchUrl: peerUrl('search', 9103),
  lookupUrl: peerUrl('lookup', 9104),
  acquisitionUrl: peerUrl('acquisition', 9105),
  onDemand: flag('CES_ACQUISITION_ON_DEMAND', 'whether searches may query sources'),
  cursorKeys: cursorKeys('CES_OPERATIONS_CURSOR_KEYS', 'keys that sign cursors, as name=hex pairs; the first signs'),
  waitMs: milliseconds('WAIT_MS', 'longest wait of a synchronous call', 25_000),
  pendingMs: milliseconds('PENDING_MS', 'time before an unclaimed operation expires', HOUR_MS / 4),
  processingMs: milliseconds('PROCESSING_MS', 'longest time for all attempts', HOUR_MS / 2),
  leaseMs: milliseconds('LEASE_MS', 'life of a claim without a heartbeat', 15_000),
  heartbeatMs: milliseconds('HEARTBEAT_MS', 'pause between heartbeats, less than half the lease', 5_000),
  acquireWaitedMs: milliseconds('ACQUIRE_WAITED_MS', 'longest time for sources while a caller waits', 4_000),
  attempts: integer('CES_OPERATIONS_ATTEMPTS', 'attempts before an operation fails', {
    default: '5',
    min: 1,
    max: 100,
  }),
  workers: integer('CES_OPERATIONS_WORKERS', 'background operations that this process runs at once', {
    default: '8',
    min: 0,
    max: 1000,
  }),
  sourceRuns: integer('CES_OPERATIONS_SOURCE_RUNS', 'more background searches that query sources at once', {
    default: '8',
    min: 1,
    max: 1000,
  }),
  synchronousRuns: integer('CES_OPERATIONS_SYNCHRONOUS_RUNS', 'searches that run at once for waiting callers', {
    default: '64',
    min: 1,
    max: 10_000,
  }),
  pollIntervalMs: milliseconds('POLL_INTERVAL_MS', 'pause between polls of the job table', 1_000),
  outboxPollMs: milliseconds('OUTBOX_POLL_MS', 'pause between passes that publish waiting jobs', 1_000),
  sweepIntervalMs: integer('CES_OPERATIONS_SWEEP_INTERVAL_MS', 'pause between passes of the sweeper; 0: none', {
    default: '2000',
  }),
  cursorTtlMs: milliseconds('CURSOR_TTL_MS', 'life of the cursor of a shortlist', 7 * 24 * HOUR_MS),
  retentionMs: milliseconds('RETENTION_MS', 'how long operations and results are kept', 400 * 24 * HOUR_MS),
  diagnosticsAnHour: integer('CES_OPERATIONS_DIAGNOSTICS_AN_HOUR', 'diagnostics per hour and account', {
    default: '1000',
    min: 1,
    max: 1_000_000,
  }),
  reconcileMs: milliseconds('RECONCILE_MS', 'pause between reconciliations with the ledger', HOUR_MS / 12),
  sandboxSlowMs: milliseconds('SANDBOX_SLOW_MS', 'duration of the test query sandbox:slow', 30_000),
};

export type Config = SettingValues<typeof settings>;

function milliseconds(name: string, description: string, byDefault: number) {
  return integer(`CES_OPERATIONS_${name}`, description, {
    default: String(byDefault),
    min: 1,
  });
}
