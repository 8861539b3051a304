import { brokerSettings } from '@ces/chassis/nats/settings';
import { serviceSettings } from '@ces/chassis/service/serve';
import type { SettingValues } from '@ces/chassis/service/settings';

export const settings = { ...serviceSettings('lookup', 9104), ...brokerSettings };

export type Config = SettingValues<typeof settings>;
