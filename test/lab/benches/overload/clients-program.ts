import { once } from 'node:events';
import { type ClientsOptions, callForAWhile } from './clients.ts';

/** Calls as the parent says, tells it what came of it, and ends. */
const [options] = (await once(process, 'message')) as [ClientsOptions];
const tally = await callForAWhile(options);
process.send?.(tally, undefined, undefined, () => process.disconnect());
