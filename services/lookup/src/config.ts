import type { SettingValues } from '@ces/chassis/env';
import { brokerSettings, serviceSettings } from '@ces/chassis/service';

export const settings = { ...serviceSettings('lookup', 9104), ...brokerSettings };

export type Config = SettingValues<typeof settings>;
