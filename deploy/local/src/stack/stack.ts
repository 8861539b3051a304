import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { INHERITED_VARIABLES, secretNames, secretOf, tokenName } from '@ces/topology/environment';
import { REPOSITORY, type ServiceName } from '@ces/topology/services';
import { withProgress } from '../../bin/progress.mjs';
import { refreshSample } from '../sample/refresh.ts';
import { type DataDirectory, dataDirectory, emptyDataDirectory, makeDataDirectory } from '../state/data-directory.ts';
import { openLiveData } from '../state/live-data.ts';
import { type Credentials, moveEarlierReadyAside, type Ready, writeReady } from '../state/ready-file.ts';
import { openSecrets } from '../state/secrets.ts';
import { lockStack, type StackLock } from '../state/stack-lock.ts';
import { ensureCredentials } from './credentials.ts';
import { choosePorts, type Fleet, startFleet } from './fleet.ts';
import { untilIndexed } from './index-ready.ts';
import { type Servers, startServers } from './servers.ts';
import type { StartContext } from './start-context.ts';

export interface StackOptions {
  readonly dataDirectory: string;
  /** Port of the gateway; 0: any free ports for all. Default: 8080 or the next free one. */
  readonly port?: number | undefined;
  readonly sample?: boolean;
  /** Keeps the schedules of sources and loads no sample, now and in later starts. */
  readonly live?: boolean;
  readonly fresh?: boolean;
  readonly trace?: boolean;
  /** Only these and `INHERITED_VARIABLES` are read. */
  readonly env?: NodeJS.ProcessEnv;
  /** Receives a line of progress at least every two seconds, and later events. */
  readonly say?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface Stack extends AsyncDisposable {
  /** The current state: a restarted process has another pid. */
  readonly ready: Ready;
  readonly isLive: boolean;
  /** The data directory was removed or claimed: the caller must stop. */
  readonly lost: AbortSignal;
}

/** Starts everything; resolves when it is ready and the index is current. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const data = dataDirectory(options.dataDirectory);
  const started = new AsyncDisposableStack();
  try {
    await makeDataDirectory(data);
    const lock = started.use(await lockStack(data));
    return await startInside(data, lock, started, options);
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

async function startInside(
  data: DataDirectory,
  lock: StackLock,
  started: AsyncDisposableStack,
  options: StackOptions,
): Promise<Stack> {
  const outer = { ...outerEnvironment(), ...options.env, ...(options.trace && traceEverything(data)) };
  const ports = await choosePorts(outer, options.port);
  // Only after the checks, so that a refused start deletes no data.
  if (options.fresh) await emptyDataDirectory(data);
  await makeDataDirectory(data);
  const live = await openLiveData(data, options.live ?? false, outer);
  const env = { ...outer, ...live };
  if (options.trace) await rm(data.traceFile, { force: true });
  const secrets = await openSecrets(data, secretNames());
  let publish = async () => {};
  const { say = () => {}, signal = new AbortController().signal } = options;
  const context: StartContext = { data, lock, secrets, env, started, say, signal, onRestart: () => void publish() };
  const earlier = await moveEarlierReadyAside(data);
  started.defer(earlier.restore);

  const servers = await startServers(context, options.port === 0);
  signal.throwIfAborted();
  const fleet = await startFleet(context, servers, ports);
  signal.throwIfAborted();
  const sample = (options.sample ?? true) && !live;
  const credentials = await fill(context, fleet, earlier.credentials, sample);
  const version = await readVersion();
  const ready = () => readyOf(servers, fleet, { credentials, sample, version });
  await writeReady(data, ready());
  await earlier.forget();
  publish = async () => {
    if (await lock.isHeld()) await writeReady(data, ready());
  };
  return {
    lost: lock.lost,
    isLive: live !== undefined,
    get ready() {
      return ready();
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

async function fill(
  context: StartContext,
  fleet: Fleet,
  earlier: Partial<Credentials>,
  sample: boolean,
): Promise<Credentials> {
  const { data, env, say, signal } = context;
  const adminToken = secretOf(context.secrets, tokenName('admin'));
  const lookupUrl = addressIn(fleet, 'lookup');
  const [credentials] = await Promise.all([
    ensureCredentials({
      baseUrl: addressIn(fleet, 'gateway'),
      ledgerUrl: addressIn(fleet, 'ledger'),
      adminToken,
      earlier,
    }),
    sample ? refreshSample({ lookupUrl, adminToken, env, sampleFile: data.sampleFile, say, signal }) : undefined,
  ]);
  signal.throwIfAborted();
  await withProgress('indexing', () => untilIndexed(addressIn(fleet, 'search'), adminToken, signal), say);
  return credentials;
}

function readyOf(servers: Servers, fleet: Fleet, about: Pick<Ready, 'credentials' | 'sample' | 'version'>): Ready {
  const base = addressIn(fleet, 'gateway');
  const processes = [...fleet].map(([name, { current }]) => ({ name, ...current }));
  const by = <T>(value: (one: (typeof processes)[number]) => T) =>
    Object.fromEntries(processes.map((one) => [one.name, value(one)]));
  const { gateway: _, ...rpc } = by((one) => one.url);
  return {
    base_url: base,
    mcp_url: `${base}/mcp`,
    docs_url: `${base}/docs`,
    rpc,
    admin: by((one) => one.adminUrl),
    databases: Object.fromEntries([...servers.databases].map(([name, { url }]) => [name, url])),
    nats_url: servers.natsUrl,
    pids: { stack: process.pid, ...servers.pids(), ...by((one) => one.pid) },
    ...about,
  };
}

function traceEverything({ traceFile }: DataDirectory): NodeJS.ProcessEnv {
  return { CES_TRACE_FILE: traceFile, CES_TRACE_RATIO: '1', CES_TRACE_DELAY_MS: '100' };
}

function addressIn(fleet: Fleet, name: ServiceName): string {
  const service = fleet.get(name);
  if (!service) throw new Error(`${name} is not running`);
  return service.current.url;
}

function outerEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(INHERITED_VARIABLES.map((name) => [name, process.env[name]]));
}

async function readVersion(): Promise<string> {
  const manifest: { version: string } = JSON.parse(await readFile(path.join(REPOSITORY, 'package.json'), 'utf8'));
  return manifest.version;
}
