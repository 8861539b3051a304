import { brokerSettings } from '@ces/chassis/nats/settings';
import { serviceSettings } from '@ces/chassis/serve';
import { type SettingValues, url } from '@ces/chassis/service/settings';

export const settings = {
  ...serviceSettings('lookup', 9104),
  ...brokerSettings,
  replicaDatabaseUrl: url('CES_LOOKUP_REPLICA_DATABASE_URL', 'address of a streaming replica of the lookup database', {
    schemes: ['postgres', 'postgresql'],
    secret: true,
    default: '',
  }),
};

export type Config = SettingValues<typeof settings>;
