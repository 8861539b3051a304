import { isIP } from 'node:net';
import { callerSettings, peerUrl, serviceSettings } from '@ces/chassis/serve';
import { flag, integer, pairs, type Setting, type SettingValues, text, url } from '@ces/chassis/service/settings';

export const settings = {
  ...serviceSettings('acquisition', 9105),
  ...callerSettings,
  lookupUrl: peerUrl('lookup', 9104),
  schedules: flag('CES_ACQUISITION_SCHEDULES', 'whether enabled sources run on their schedules'),
  onDemand: flag('CES_ACQUISITION_ON_DEMAND', 'whether searches may query sources'),
  userAgent: text('CES_ACQUISITION_USER_AGENT', 'User-Agent for sources; some require a contact in it', {
    default: 'company-evidence-search/0.1',
  }),
  secrets: pairs('CES_SOURCE_SECRETS', 'secrets of sources as source.setting=value pairs', {
    secret: true,
    default: '',
  }),
  allowedAddresses: addresses(
    'CES_ACQUISITION_ALLOWED_ADDRESSES',
    'private addresses that connectors may reach, as IP:port separated by commas',
  ),
  proxy: url('CES_ACQUISITION_PROXY', 'HTTP proxy (CONNECT) for requests to sources', {
    schemes: ['http', 'https'],
    secret: true,
    default: '',
  }),
  mirrors: pairs('CES_ACQUISITION_MIRRORS', 'addresses that replace hosts of sources, as host=address pairs', {
    default: '',
  }),
  scheduleIntervalMs: integer('CES_ACQUISITION_SCHEDULE_INTERVAL_MS', 'pause between checks of the schedule', {
    default: '15000',
    min: 100,
  }),
  callsPerOperation: integer('CES_ACQUISITION_CALLS_PER_OPERATION', 'most calls to sources of one search', {
    default: '10',
  }),
  cacheTtlMs: integer('CES_ACQUISITION_CACHE_TTL_MS', 'how long the answer of a source is reused', {
    default: '900000',
  }),
};

export type Config = SettingValues<typeof settings>;

function addresses(name: string, description: string): Setting<ReadonlySet<string>> {
  return {
    ...text(name, description, { default: '' }),
    parse: (value) => new Set(value.split(',').filter(Boolean).map(checkAddress)),
  };
}

function checkAddress(value: string): string {
  const [, ip = '', port = ''] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(value) ?? [];
  if (isIP(ip) === 0) throw new Error('must be IP:port pairs separated by commas');
  return `${ip}:${port}`;
}
