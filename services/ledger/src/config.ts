import { serviceSettings } from '@ces/chassis/service/serve';
import { integer, type SettingValues } from '@ces/chassis/service/settings';
import { peppers } from './credential/pepper.ts';
import { signingKeys } from './principal/signing-keys.ts';

export const settings = {
  ...serviceSettings('ledger', 9101),
  peppers: peppers(
    'CES_LEDGER_PEPPERS',
    'secrets that key the digests of API keys, as name=hex; the first is the newest and signs',
  ),
  signingKeys: signingKeys(
    'CES_LEDGER_SIGNING_KEYS',
    'keys by which the ledger signs who calls, as name=hex seeds of Ed25519; the first one signs, all are published',
  ),
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
