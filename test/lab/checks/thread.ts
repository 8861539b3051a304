import { parentPort, workerData } from 'node:worker_threads';
import { type Remains, runChecks } from './all.ts';

parentPort?.postMessage(await runChecks(workerData as Remains));
