import { hash } from 'node:crypto';
import path from 'node:path';
import {
  DATABASE_SERVICES,
  databaseSetting,
  REPOSITORY,
  SERVICES,
  type Service,
  type ServiceName,
} from './services.ts';

export interface NatsAccess {
  readonly user: string;
  readonly password: string;
}

export interface StackEnvironment {
  readonly secrets: Readonly<Record<string, string>>;
  readonly ports: ReadonlyMap<ServiceName, number>;
  readonly databaseUrls: ReadonlyMap<ServiceName, string>;
  readonly natsUrl: string;
  readonly natsPrefix: string;
  /** Credentials for NATS; absent: those in `outer`. */
  readonly natsAccess?: NatsAccess | undefined;
  /** File with the sample accounts' API keys, for the explorer; absent: the setting in `outer`. */
  readonly sampleKeysFile?: string;
  /** Folder for the file of the memory index; absent: the setting in `outer`. */
  readonly searchIndex?: string;
  readonly operator?: string;
  /** Services receive only its CES_* and OTEL_* variables and `INHERITED_VARIABLES`. */
  readonly outer: NodeJS.ProcessEnv;
}

export const INHERITED_VARIABLES = [
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
];

/** API keys of sources. Only acquisition receives them, since only it reaches sources. */
const SOURCE_SECRETS = 'CES_SOURCE_SECRETS';
/** API keys of external models. Only search receives them. */
const MODEL_API_KEYS = ['CES_SEARCH_PLANNER_KEY', 'CES_SEARCH_EMBEDDING_KEY', 'CES_SEARCH_RERANK_KEY'];
/** Credentials for NATS. Only services that publish or consume messages receive them. */
const BROKER_SECRETS = ['CES_NATS_PASSWORD', 'CES_NATS_TOKEN'];
const KEY_RING_SETTINGS = SERVICES.flatMap((one) => one.keyRingSettings);
/** Node's compile cache: later starts of a service need a third less work. */
const COMPILE_CACHE = path.join(REPOSITORY, '.cache/compiled');

/** With its tokens for callees and the digests of its callers' tokens. */
export function environmentOf(service: Service, around: StackEnvironment): Record<string, string> {
  const { secrets } = around;
  const env = passedOn(around.outer);
  if (service.name !== 'acquisition') delete env[SOURCE_SECRETS];
  if (service.name !== 'search') for (const setting of MODEL_API_KEYS) delete env[setting];
  if (!service.broker) for (const setting of BROKER_SECRETS) delete env[setting];
  env.NODE_COMPILE_CACHE = COMPILE_CACHE;
  delete env.CES_RPC_TOKEN;
  if (service.calls.length > 0)
    env.CES_RPC_TOKENS = service.calls
      .map((callee) => `${callee}=${secretOf(secrets, pairTokenName(service.name, callee))}`)
      .join(',');
  if (service.name !== 'gateway')
    env.CES_RPC_CALLER_DIGESTS = callersOf(service)
      .map((caller) => `${caller}=${hash('sha256', secretOf(secrets, pairTokenName(caller, service.name)))}`)
      .join(',');
  if (service.name === 'gateway') delete env.CES_RPC_OPERATORS;
  else env.CES_RPC_OPERATORS = operatorsOf(around);
  env.CES_RPC_INTROSPECTION = around.outer.CES_RPC_INTROSPECTION || 'true';
  env.NATS_URL = around.natsUrl;
  env.CES_NATS_PREFIX = around.natsPrefix;
  if (around.natsAccess && service.broker) {
    env.CES_NATS_USER = around.natsAccess.user;
    env.CES_NATS_PASSWORD = around.natsAccess.password;
  }
  env[service.portSetting] = String(around.ports.get(service.name));
  const scheme = around.outer.CES_RPC_TLS_CERT_FILE ? 'https' : 'http';
  for (const peer of service.calls)
    env[`CES_${peer.toUpperCase()}_URL`] = `${scheme}://127.0.0.1:${around.ports.get(peer)}`;
  for (const setting of service.keyRingSettings)
    env[setting] = around.outer[setting] || `local=${secretOf(secrets, setting)}`;
  if (service.name === 'gateway' && around.sampleKeysFile) env.CES_SAMPLE_KEYS_FILE ??= around.sampleKeysFile;
  if (service.name === 'search' && around.searchIndex) env.CES_SEARCH_INDEX_DIR ??= around.searchIndex;
  const databaseUrl = around.databaseUrls.get(service.name);
  if (databaseUrl) env[databaseSetting(service.name)] = databaseUrl;
  return env;
}

/** The operators that the environment names, and the first one, whose token the stack draws. */
function operatorsOf({ secrets, operator = 'local', outer }: StackEnvironment): string {
  const digest = hash('sha256', secretOf(secrets, tokenName('admin')));
  return [`${operator}:operator=${digest}`, outer.CES_RPC_OPERATORS ?? ''].filter(Boolean).join(',');
}

function pairTokenName(caller: ServiceName, callee: ServiceName): string {
  return `${caller}_${callee}_token`;
}

/** `ces` reads the first operator's as `admin_token`. */
export function tokenName(caller: string): string {
  return `${caller}_token`;
}

export function secretNames(): string[] {
  const passwords = DATABASE_SERVICES.flatMap(({ name }) => [`${name}_password`, `${name}_owner_password`]);
  const pairs = SERVICES.flatMap(({ name, calls }) => calls.map((callee) => pairTokenName(name, callee)));
  const tokens = [tokenName('admin'), ...pairs];
  return ['postgres_password', ...passwords, ...tokens, ...KEY_RING_SETTINGS, 'nats_prefix', 'nats_password'];
}

export function secretOf(secrets: Readonly<Record<string, string>>, name: string): string {
  const secret = secrets[name];
  if (secret === undefined) throw new Error(`there is no secret ${name}`);
  return secret;
}

function callersOf(service: Service): ServiceName[] {
  return SERVICES.filter((one) => one.calls.includes(service.name)).map((one) => one.name);
}

function passedOn(outer: NodeJS.ProcessEnv): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(outer)) {
    const ours = /^(CES|OTEL)_/.test(name) && !name.endsWith('_DATABASE_URL') && !KEY_RING_SETTINGS.includes(name);
    if (value !== undefined && (ours || INHERITED_VARIABLES.includes(name))) env[name] = value;
  }
  return env;
}
