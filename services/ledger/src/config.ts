import { serviceSettings } from '@ces/chassis/serve';
import { integer, type SettingValues } from '@ces/chassis/service/settings';
import { peppers } from './credential/pepper.ts';
import { signingKeys } from './principal/signing-keys.ts';

export const settings = {
  ...serviceSettings('ledger', 9101),
  peppers: peppers('CES_LEDGER_PEPPERS', 'secrets for the digests of API keys, as name=hex; the first is the newest'),
  signingKeys: signingKeys(
    'CES_LEDGER_SIGNING_KEYS',
    'Ed25519 seeds as name=hex that sign principals; the first signs',
  ),
  reconcileMs: integer('CES_LEDGER_RECONCILE_MS', 'pause between reconciliations of the ledger', {
    default: '300000',
    min: 100,
    max: 86_400_000,
  }),
  keptDays: integer('CES_LEDGER_KEPT_DAYS', 'how long holds and entries are kept', {
    default: '401',
    min: 368,
  }),
};

export type Config = SettingValues<typeof settings>;
