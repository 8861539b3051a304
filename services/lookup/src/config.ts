import { brokerSettings, serviceSettings } from '@ces/chassis/service/serve';
import type { SettingValues } from '@ces/chassis/service/settings';

export const settings = { ...serviceSettings('lookup', 9104), ...brokerSettings };

export type Config = SettingValues<typeof settings>;
