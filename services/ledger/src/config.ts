import { serviceSettings } from '@ces/chassis/serve';
import { integer, type SettingValues } from '@ces/chassis/service/settings';
import { peppers } from './credential/pepper.ts';
import { signingKeys } from './principal/signing-keys.ts';

export const settings = {
  ...serviceSettings('ledger', 9101),
  peppers: peppers(
    'CES_LEDGER_PEPPERS',
    'peppers: secrets for the digests of API keys, as name=hex; the first is the newest and digests new keys',
  ),
  signingKeys: signingKeys(
    'CES_LEDGER_SIGNING_KEYS',
    'Ed25519 seeds as name=hex, with which the ledger signs principals; the first one signs, all are published',
  ),
  reconcileMs: integer('CES_LEDGER_RECONCILE_MS', 'pause between reconciliations of the ledger, in milliseconds', {
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
