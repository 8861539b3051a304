import { serviceSettings } from '@ces/chassis/service/serve';
import { integer, type SettingValues } from '@ces/chassis/service/settings';
import { peppers } from './credential/pepper.ts';

export const settings = {
  ...serviceSettings('ledger', 9101),
  peppers: peppers('CES_LEDGER_PEPPERS', 'secrets that key the digests of API keys, as name=hex; the first one signs'),
  reconcileMs: integer('CES_LEDGER_RECONCILE_MS', 'pause between two reconciliations of the books, in milliseconds', {
    default: '300000',
    min: 100,
    max: 86_400_000,
  }),
  keptDays: integer('CES_LEDGER_KEPT_DAYS', 'how long holds and entries are kept, in days', {
    default: '401',
    min: 368,
  }),
};

export type Config = SettingValues<typeof settings>;
