import type { Lead } from '@ces/chassis/postgres/lead';
import { startLeaderTask } from '@ces/chassis/postgres/leader-task';
import type { Leases } from '@ces/chassis/postgres/lease';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Clock } from '@ces/chassis/service/clock';
import type { PeriodicTask } from '@ces/chassis/service/periodic-task';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Source } from '../connector/source.ts';
import type { Sources } from '../connector/sources.ts';
import { failLostRuns } from '../db/source-run.ts';
import { claimScheduledRun, isEnabled, readStates, type SourceSecrets, settingsOf } from '../db/source-state.ts';
import { SILENT_RUN_MS } from '../run/active-run.ts';
import type { BackgroundRuns } from '../run/background-runs.ts';
import { firstRunAt, isDue, nextRunAt } from './next-run.ts';

export interface SchedulerTools {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sources: Sources;
  readonly secrets: SourceSecrets;
  readonly runs: BackgroundRuns;
}

const MOST_RUNS = 2;

export function startScheduler(tools: SchedulerTools, leases: Leases, intervalMs: number): PeriodicTask {
  let reported = false;
  const run = async ({ signal }: Lead) => {
    if (!reported) await reportMissingSettings(tools);
    reported = true;
    await beginDueRuns(tools, signal);
  };
  const { logger } = tools;
  return startLeaderTask(leases, {
    name: 'looking at the schedule',
    lease: 'scheduler',
    everyMs: intervalMs,
    run,
    logger,
  });
}

async function beginDueRuns(tools: SchedulerTools, signal: AbortSignal): Promise<void> {
  await failLostRuns(tools.pool, SILENT_RUN_MS);
  const stateOf = await readStates(tools.pool);
  for (const source of tools.sources.all) {
    if (signal.aborted || tools.runs.count >= MOST_RUNS) return;
    const state = stateOf(source.name);
    const now = tools.clock.now();
    const due = isDue(source, state, tools.secrets, now);
    if (due === 'unplanned') await plan(tools, source, now);
    if (due === 'now') await begin(tools, source, now);
  }
}

async function reportMissingSettings({ pool, logger, sources, secrets }: SchedulerTools): Promise<void> {
  const stateOf = await readStates(pool);
  for (const source of sources.all) {
    const state = stateOf(source.name);
    const { missing } = settingsOf(source, state, secrets);
    if (source.schedule && source.requests && isEnabled(source, state) && missing.length > 0)
      logger.info({ source: source.name, missing }, 'not fetched by its schedule before its settings are set');
  }
}

async function plan({ pool }: SchedulerTools, source: Source, now: Date): Promise<void> {
  if (source.schedule) await claimScheduledRun(pool, source.name, firstRunAt(source.schedule, now, Math.random()), now);
}

async function begin({ pool, runs, logger }: SchedulerTools, source: Source, now: Date): Promise<void> {
  if (!source.schedule) return;
  const next = nextRunAt(source.schedule, now, Math.random());
  if (!(await claimScheduledRun(pool, source.name, next, now))) return;
  const id = await runs.begin(source, 'schedule');
  logger.info({ source: source.name, run_id: id, next_run_at: next }, 'scheduled run begun');
}
