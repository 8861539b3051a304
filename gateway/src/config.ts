import { callLimitSettings } from '@ces/chassis/limits/settings';
import { callerSettings, drainDelay, peerUrl } from '@ces/chassis/serve';
import { integer, type Setting, type SettingValues, text, url } from '@ces/chassis/service/settings';

export const settings = {
  ...callerSettings,
  host: text('CES_HOST', 'address to listen on; `::`: all', { default: '127.0.0.1' }),
  port: integer('CES_PORT', 'port of the public interface', { default: '8080', max: 65_535 }),
  adminPort: integer('CES_GATEWAY_ADMIN_PORT', 'admin port', { default: '0', max: 65_535 }),
  drainDelayMs: drainDelay,
  ledgerUrl: peerUrl('ledger', 9101),
  operationsUrl: peerUrl('operations', 9102),
  lookupUrl: peerUrl('lookup', 9104),
  publicCertFile: text('CES_PUBLIC_CERT_FILE', 'certificate of the public interface; empty: no TLS', { default: '' }),
  publicKeyFile: text('CES_PUBLIC_KEY_FILE', 'private key of CES_PUBLIC_CERT_FILE', { default: '' }),
  publicClientCaFile: text(
    'CES_PUBLIC_CLIENT_CA_FILE',
    'CA certificates that verify clients; empty: clients need none',
    { default: '' },
  ),
  publicUrl: optional(
    url('CES_PUBLIC_URL', 'public address of the gateway for subscribers', { schemes: ['http', 'https'] }),
  ),
  trustedProxies: list('CES_TRUSTED_PROXIES', 'proxy addresses or networks whose X-Forwarded-For is trusted'),
  corsOrigins: list('CES_CORS_ORIGINS', 'web origins that may call the interface (CORS)'),
  mcpHosts: list('CES_MCP_HOSTS', 'more host names of /mcp, besides loopback and CES_PUBLIC_URL'),
  sampleKeysFile: text('CES_SAMPLE_KEYS_FILE', 'file with sample keys for the explorer on this machine', {
    default: '',
  }),
  callTimeoutMs: integer('CES_GATEWAY_CALL_TIMEOUT_MS', 'deadline of a call to another service', {
    default: '35000',
    min: 1,
  }),
  requestTimeoutMs: integer('CES_REQUEST_TIMEOUT_MS', 'timeout for receiving a request', {
    default: '30000',
    min: 1,
  }),
  keepAliveMs: integer(
    'CES_KEEP_ALIVE_MS',
    'idle timeout of a connection; must exceed that of the proxy or load balancer',
    { default: '72000', min: 1 },
  ),
  authenticationFreshMs: integer('CES_AUTHENTICATION_FRESH_MS', 'how long an authentication result is valid', {
    default: '1000',
  }),
  authenticationStaleMs: integer(
    'CES_AUTHENTICATION_STALE_MS',
    'how long an authentication result is used without the ledger',
    { default: '30000' },
  ),
  ...callLimitSettings,
  maxInFlightCalls: integer('CES_MAX_IN_FLIGHT_CALLS', 'calls in flight at this gateway', {
    default: '1000',
    min: 1,
  }),
  maxConcurrentCalls: integer(
    'CES_MAX_CONCURRENT_CALLS',
    'calls that this gateway runs at once, and as many free reads; 0: twice the number of processors',
    { default: '0', max: 1_000_000 },
  ),
  callWaitMs: integer('CES_CALL_WAIT_MS', 'shortest time that a call may wait for a slot', { default: '300' }),
  burstWaitMs: integer(
    'CES_BURST_WAIT_MS',
    'longest time that a call may wait for a slot, divided by the accounts that wait',
    { default: '5000' },
  ),
  rejectionDelayMs: integer('CES_REJECTION_DELAY_MS', 'average delay of refusals for too many calls', {
    default: '1000',
    max: 10_000,
  }),
  accountObservationsPerHour: integer(
    'CES_ACCOUNT_OBSERVATIONS_PER_HOUR',
    'reads of single observations per hour and account',
    { default: '600', min: 1, max: 1_000_000 },
  ),
  pollsPerSecond: integer('CES_POLLS_PER_SECOND', 'polls per second and operation', { default: '5', min: 1 }),
};

export type Config = SettingValues<typeof settings>;

function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return { ...setting, default: '', parse: (value) => (value === '' ? undefined : setting.parse(value)) };
}

function list(name: string, description: string): Setting<readonly string[]> {
  const base = text(name, `${description}, separated by commas`, { default: '' });
  return { ...base, parse: (value) => value.split(',').flatMap((part) => part.trim() || []) };
}
