import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Answered, type Attempt, isAnswered } from '../load/attempt.ts';
import { checkLimits, checkRefusals, checkReports } from './allowance.ts';
import { checkBodies, checkReplays, checkStates } from './answers.ts';
import { checkErrors, checkLogs, type FaultWindow } from './faults.ts';
import { checkEnded, checkKeys, checkMatching, checkUnits } from './settlement.ts';
import type { Snapshot } from './snapshot.ts';

export interface Remains {
  readonly attempts: readonly Attempt[];
  readonly snapshot: Snapshot;
  /** GET /api/usage after the trial, by subscription. */
  readonly reports: ReadonlyMap<bigint, Attempt>;
  readonly faultWindows: readonly FaultWindow[];
  readonly logDirectory: string;
  readonly secrets: readonly string[];
}

/**
 * Runs checks C1 to C12 of services/promises.md. Returns one sentence for each finding. They are
 * slow, and run in a thread of their own, so that they do not block the proxies of a cluster.
 */
export async function runChecks(remains: Remains): Promise<string[]> {
  const [found] = await once(new Worker(import.meta.filename, { workerData: remains }), 'message');
  return found;
}

if (!isMainThread) parentPort?.postMessage(await findFaults(workerData));

async function findFaults(remains: Remains): Promise<string[]> {
  const { attempts, snapshot, reports } = remains;
  const answered: readonly Answered[] = attempts.filter(isAnswered);
  return [
    ...checkMatching(snapshot),
    ...checkUnits(snapshot),
    ...checkKeys(snapshot, attempts),
    ...checkEnded(snapshot),
    ...checkLimits(snapshot),
    ...checkReplays(answered),
    ...checkReports(snapshot, reports),
    ...checkStates(answered),
    ...checkBodies(answered),
    ...checkErrors(attempts, remains.faultWindows),
    ...(await checkLogs(remains.logDirectory, remains.secrets)),
    ...checkRefusals(snapshot, answered),
  ];
}
