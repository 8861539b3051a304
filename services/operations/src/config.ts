import { callLimitSettings } from '@ces/chassis/limits/settings';
import { brokerSettings } from '@ces/chassis/nats/settings';
import { callerSettings, serviceSettings } from '@ces/chassis/service/serve';
import { flag, integer, type SettingValues, url } from '@ces/chassis/service/settings';
import { cursorKeys } from './cursor/keys.ts';

const HOUR_MS = 3_600_000;

export const settings = {
  ...serviceSettings('operations', 9102),
  ...brokerSettings,
  ...callerSettings,
  ...callLimitSettings,
  ledgerUrl: peer('ledger', 9101),
  searchUrl: peer('search', 9103),
  lookupUrl: peer('lookup', 9104),
  acquisitionUrl: peer('acquisition', 9105),
  onDemand: flag('CES_ACQUISITION_ON_DEMAND', 'whether searches may ask enabled sources that can answer a query'),
  cursorKeys: cursorKeys(
    'CES_OPERATIONS_CURSOR_KEYS',
    'keys of cursors as name=hex pairs; the first signs, all are accepted',
  ),
  waitMs: milliseconds('WAIT_MS', 'longest wait of a synchronous call', 25_000),
  pendingMs: milliseconds('PENDING_MS', 'how long an operation may wait to be claimed before it expires', HOUR_MS / 4),
  processingMs: milliseconds('PROCESSING_MS', 'how long all attempts may take from the first claim', HOUR_MS / 2),
  leaseMs: milliseconds('LEASE_MS', 'how long a claim lasts without a heartbeat', 15_000),
  heartbeatMs: milliseconds('HEARTBEAT_MS', 'pause between heartbeats, less than half the lease', 5_000),
  acquireWaitedMs: milliseconds('ACQUIRE_WAITED_MS', 'how long sources may be asked while a caller waits', 4_000),
  acquireBackgroundMs: milliseconds('ACQUIRE_BACKGROUND_MS', 'the same for a background search', HOUR_MS / 6),
  attempts: integer(
    'CES_OPERATIONS_ATTEMPTS',
    'attempts at an operation that end by a fault of its own, not of another service',
    { default: '5', min: 1, max: 100 },
  ),
  workers: integer(
    'CES_OPERATIONS_WORKERS',
    'operations worked on at once for nobody who waits, of one account three in four at most; 0: left to others',
    {
      default: '8',
      min: 0,
      max: 1000,
    },
  ),
  sourceRuns: integer(
    'CES_OPERATIONS_SOURCE_RUNS',
    'background searches that ask sources at once, beside the others; of one account half of them at most',
    { default: '8', min: 1, max: 1000 },
  ),
  synchronousRuns: integer('CES_OPERATIONS_SYNCHRONOUS_RUNS', 'searches run at once for callers who wait; more queue', {
    default: '64',
    min: 1,
    max: 10_000,
  }),
  pollIntervalMs: milliseconds(
    'POLL_INTERVAL_MS',
    'pause between polls of the job table without a notification',
    1_000,
  ),
  outboxPollMs: milliseconds('OUTBOX_POLL_MS', 'pause between polls for waiting jobs whose message is due', 1_000),
  sweepIntervalMs: integer(
    'CES_OPERATIONS_SWEEP_INTERVAL_MS',
    'pause between passes of the sweeper, in milliseconds; 0: left to other processes',
    { default: '2000' },
  ),
  cursorTtlMs: milliseconds('CURSOR_TTL_MS', 'life of a shortlist for new pages', 7 * 24 * HOUR_MS),
  retentionMs: milliseconds('RETENTION_MS', 'how long operations and results are kept', 400 * 24 * HOUR_MS),
  diagnosticsAnHour: integer('CES_OPERATIONS_DIAGNOSTICS_AN_HOUR', 'diagnostics that an account may ask for an hour', {
    default: '1000',
    min: 1,
    max: 1_000_000,
  }),
  reconcileMs: milliseconds('RECONCILE_MS', 'pause between comparisons with the ledger', HOUR_MS / 12),
  sandboxSlowMs: milliseconds('SANDBOX_SLOW_MS', 'how long the test query sandbox:slow waits', 30_000),
};

export type Config = SettingValues<typeof settings>;

function milliseconds(name: string, description: string, byDefault: number) {
  return integer(`CES_OPERATIONS_${name}`, `${description}, in milliseconds`, {
    default: String(byDefault),
    min: 1,
  });
}

function peer(name: string, port: number) {
  return url(`CES_${name.toUpperCase()}_URL`, `address of the ${name} service`, {
    schemes: ['http', 'https'],
    default: `http://127.0.0.1:${port}`,
  });
}
