import { isIP } from 'node:net';
import { callerSettings, serviceSettings } from '@ces/chassis/service/serve';
import { flag, integer, pairs, type Setting, type SettingValues, text, url } from '@ces/chassis/service/settings';

export const settings = {
  ...serviceSettings('acquisition', 9105),
  ...callerSettings,
  lookupUrl: url('CES_LOOKUP_URL', 'address of lookup, which records what sources say', {
    schemes: ['http', 'https'],
    default: 'http://127.0.0.1:9104',
  }),
  schedules: flag('CES_ACQUISITION_SCHEDULES', 'whether enabled sources run by their schedules'),
  onDemand: flag('CES_ACQUISITION_ON_DEMAND', 'whether searches may ask enabled sources that can answer a query'),
  userAgent: text('CES_ACQUISITION_USER_AGENT', 'how it names itself to sources; with a contact, as some demand', {
    default: 'company-evidence-search/0.1',
  }),
  secrets: pairs('CES_SOURCE_SECRETS', 'secrets of sources as source.setting=value pairs', {
    secret: true,
    default: '',
  }),
  allowedAddresses: addresses(
    'CES_ACQUISITION_ALLOWED_ADDRESSES',
    'addresses outside the public Internet that may be reached all the same, as IP:port separated by commas',
  ),
  proxy: url('CES_ACQUISITION_PROXY', 'HTTP proxy that sources are reached through, by CONNECT; empty: directly', {
    schemes: ['http', 'https'],
    secret: true,
    default: '',
  }),
  mirrors: pairs('CES_ACQUISITION_MIRRORS', 'base addresses that answer in place of a host, as host=address pairs', {
    default: '',
  }),
  scheduleIntervalMs: integer('CES_ACQUISITION_SCHEDULE_INTERVAL_MS', 'pause between looks at the schedule', {
    default: '15000',
    min: 100,
  }),
  callsPerOperation: integer('CES_ACQUISITION_CALLS_PER_OPERATION', 'calls that one search may pay at most', {
    default: '10',
  }),
  cacheTtlMs: integer(
    'CES_ACQUISITION_CACHE_TTL_MS',
    'how long the answer of a source is reused for the same question, in milliseconds',
    {
      default: '900000',
    },
  ),
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
