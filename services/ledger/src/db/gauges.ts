import type { Pool } from '@ces/chassis/postgres/pool';
import { observeGauges, type Reading } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Peppers } from '../credential/pepper.ts';
import { readPepperNeeds } from './credential-pepper.ts';
import { readDriftCheck } from './drift-check.ts';
import { readOldestHold } from './hold.ts';

const GAUGES = {
  'ces.holds.oldest': { unit: 's', description: 'Age of the oldest units that are held.' },
  'ces.ledger.check.age': {
    unit: 's',
    description: 'Time since every subscription was last compared with its postings.',
  },
  'ces.credentials.old_pepper': {
    unit: '{credential}',
    description: 'API keys that need an older pepper until they are used the next time.',
  },
  'ces.credentials.missing_pepper': {
    unit: '{credential}',
    description: 'API keys that are refused, since the pepper that they need is not configured.',
  },
  'ces.ledger.drift': {
    unit: '{difference}',
    description: 'Differences that comparing has found and that are still there.',
  },
} as const;

export function observeLedger(pool: Pool, peppers: Peppers, logger: Logger): AsyncDisposable {
  return observeGauges(GAUGES, () => readGauges(pool, peppers), logger);
}

/** The database holds these values, so every replica reports the same. */
async function readGauges(pool: Pool, peppers: Peppers): Promise<readonly Reading<keyof typeof GAUGES>[]> {
  const [oldest, { ageSeconds, differences }] = [await readOldestHold(pool), await readDriftCheck(pool)];
  const { old, missing } = await readPepperNeeds(pool, peppers);
  return [
    { gauge: 'ces.credentials.old_pepper', value: old },
    { gauge: 'ces.credentials.missing_pepper', value: missing },
    { gauge: 'ces.holds.oldest', value: oldest },
    { gauge: 'ces.ledger.check.age', value: ageSeconds },
    ...(differences === undefined ? [] : [{ gauge: 'ces.ledger.drift', value: differences } as const]),
  ];
}
