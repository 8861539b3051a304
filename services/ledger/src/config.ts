import type { SettingValues } from '@ces/chassis/env';
import { serviceSettings } from '@ces/chassis/service';
import { peppers } from './credential/pepper.ts';

export const settings = {
  ...serviceSettings('ledger', 9101),
  peppers: peppers('CES_LEDGER_PEPPERS', 'secrets that key the digests of API keys, as name=hex; the first one signs'),
};

export type Config = SettingValues<typeof settings>;
