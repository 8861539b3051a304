import { callLimitSettings } from '@ces/chassis/limits/settings';
import { callerSettings, drainDelay } from '@ces/chassis/service/serve';
import { integer, type Setting, type SettingValues, text, url } from '@ces/chassis/service/settings';

const httpSchemes = { schemes: ['http', 'https'] };

export const settings = {
  ...callerSettings,
  host: text('CES_HOST', 'address to listen on; `::`: every one, of IPv6 and IPv4', { default: '127.0.0.1' }),
  port: integer('CES_PORT', 'port of the public interface; 0 chooses one', { default: '8080', max: 65_535 }),
  adminPort: integer('CES_GATEWAY_ADMIN_PORT', 'port of the probes; 0 chooses one', { default: '0', max: 65_535 }),
  drainDelayMs: drainDelay,
  ledgerUrl: url('CES_LEDGER_URL', 'address of the ledger', { ...httpSchemes, default: 'http://127.0.0.1:9101' }),
  operationsUrl: url('CES_OPERATIONS_URL', 'address of operations', {
    ...httpSchemes,
    default: 'http://127.0.0.1:9102',
  }),
  lookupUrl: url('CES_LOOKUP_URL', 'address of lookup', { ...httpSchemes, default: 'http://127.0.0.1:9104' }),
  publicCertFile: text(
    'CES_PUBLIC_CERT_FILE',
    'certificate chain (PEM) that the public interface shows; empty: plain text, behind a proxy that ends TLS',
    { default: '' },
  ),
  publicKeyFile: text('CES_PUBLIC_KEY_FILE', 'private key (PEM) of that certificate', { default: '' }),
  publicClientCaFile: text(
    'CES_PUBLIC_CLIENT_CA_FILE',
    'certificates (PEM) that those who connect are checked with, as the proxy before it; empty: nobody need show one',
    { default: '' },
  ),
  publicUrl: optional(url('CES_PUBLIC_URL', 'address under which subscribers reach the gateway', httpSchemes)),
  trustedProxies: list('CES_TRUSTED_PROXIES', 'addresses or networks whose X-Forwarded-For is trusted'),
  corsOrigins: list('CES_CORS_ORIGINS', 'web origins whose pages may call the interface; none by default'),
  mcpHosts: list('CES_MCP_HOSTS', 'host names under which /mcp may be called, beside loopback and CES_PUBLIC_URL'),
  sampleKeysFile: text(
    'CES_SAMPLE_KEYS_FILE',
    'file (JSON) with keys of sample accounts that the explorer offers to a browser on this machine; empty: none',
    { default: '' },
  ),
  callTimeoutMs: integer('CES_GATEWAY_CALL_TIMEOUT_MS', 'deadline of a call to another service, in milliseconds', {
    default: '35000',
    min: 1,
  }),
  requestTimeoutMs: integer('CES_REQUEST_TIMEOUT_MS', 'how long a request may take to arrive, in milliseconds', {
    default: '30000',
    min: 1,
  }),
  keepAliveMs: integer(
    'CES_KEEP_ALIVE_MS',
    'how long a connection may be idle between two requests, in milliseconds; more than the proxy or load balancer before it keeps one',
    { default: '72000', min: 1 },
  ),
  bodyLimitBytes: integer('CES_BODY_LIMIT_BYTES', 'largest body', { default: '131072', min: 1 }),
  headerLimitBytes: integer('CES_HEADER_LIMIT_BYTES', 'largest request head', { default: '24576', min: 1024 }),
  uriLimitBytes: integer('CES_URI_LIMIT_BYTES', 'longest address', { default: '8192', min: 128 }),
  authenticationFreshMs: integer(
    'CES_AUTHENTICATION_FRESH_MS',
    'how long an answer of the ledger about a credential counts, and its word that nothing has changed since, in milliseconds',
    { default: '1000' },
  ),
  authenticationStaleMs: integer(
    'CES_AUTHENTICATION_STALE_MS',
    'how long it serves while the ledger cannot be asked, in milliseconds',
    { default: '30000' },
  ),
  ...callLimitSettings,
  maxInFlightCalls: integer('CES_MAX_IN_FLIGHT_CALLS', 'calls in flight in all; further ones are refused', {
    default: '1000',
    min: 1,
  }),
  maxConcurrentCalls: integer(
    'CES_MAX_CONCURRENT_CALLS',
    'calls that this gateway runs concurrently, and as many free reads; 0: twice the number of processors',
    { default: '0', max: 1_000_000 },
  ),
  callWaitMs: integer(
    'CES_CALL_WAIT_MS',
    'how long a call may wait for a slot at least, however many accounts have calls that wait, in milliseconds',
    { default: '300' },
  ),
  burstWaitMs: integer(
    'CES_BURST_WAIT_MS',
    'how long it may while the calls of no other account wait, in milliseconds; accounts whose calls do share it',
    { default: '5000' },
  ),
  rejectionDelayMs: integer(
    'CES_REJECTION_DELAY_MS',
    'delay of an answer that refuses a call because there are too many, on average, in milliseconds',
    { default: '1000', max: 10_000 },
  ),
  accountObservationsPerHour: integer(
    'CES_ACCOUNT_OBSERVATIONS_PER_HOUR',
    'reads of single observations an hour and account, at all gateways together',
    { default: '600', min: 1, max: 1_000_000 },
  ),
  pollsPerSecond: integer('CES_POLLS_PER_SECOND', 'polls a second and operation', { default: '5', min: 1 }),
};

export type Config = SettingValues<typeof settings>;

function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return { ...setting, default: '', parse: (value) => (value === '' ? undefined : setting.parse(value)) };
}

function list(name: string, description: string): Setting<readonly string[]> {
  const base = text(name, `${description}, separated by commas`, { default: '' });
  return { ...base, parse: (value) => value.split(',').flatMap((part) => part.trim() || []) };
}
