import { once } from 'node:events';
import { type ClientsOptions, callForAWhile } from './clients.ts';

/** Makes the calls that the parent sends, reports the tally, and exits. */
const [options] = (await once(process, 'message')) as [ClientsOptions];
const tally = await callForAWhile(options);
process.send?.(tally, undefined, undefined, () => process.disconnect());
