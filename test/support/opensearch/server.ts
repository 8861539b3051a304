import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { freePort } from '@ces/servers/ports';
import { OWN_ACCOUNT } from '@ces/servers/processes/account';
import { type ServerProcess, spawnServer } from '@ces/servers/processes/server';
import { askSecurely, type SecureCaller } from './ask-securely.ts';
import { findOpenSearch, type OpenSearchProgram } from './assemble.ts';

export interface OpenSearchOptions {
  /** Default 1. Of two the first alone may lead, so that the second may be lost; of more any one may. */
  readonly nodes?: number;
  /** Home, data and logs of each node stand below it; what an earlier start left there is gone on with. */
  readonly directory: string;
  /** Of each node's heap, in MiB; default 512. Beside it: buffers up to half of that, classes and code up to 352 MiB. */
  readonly heapMb?: number;
  /** HTTP port of the first node; default: any that is free. */
  readonly port?: number;
  /** Settings of opensearch.yml beside and above those that this file makes. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Where the other nodes reach a node that listens at a port; default: there. */
  readonly reachedAt?: (transportPort: number) => Promise<number>;
  /** Options of the Java machine beside those of memory; default: what starts soonest. A bench passes none. */
  readonly javaOptions?: readonly string[];
  /** Default: nobody has to say who he is, over plain HTTP. */
  readonly security?: ServerSecurity;
}

/** A server that asks callers who they are, over TLS. */
interface ServerSecurity {
  readonly program: OpenSearchProgram;
  /** Contents of files below `config` of each node, by their paths there. */
  readonly files: ReadonlyMap<string, string>;
  /** Of somebody who may look whether the nodes have found each other. */
  readonly caller: SecureCaller;
}

interface OpenSearchNode {
  readonly name: string;
  readonly url: string;
  /** Of the process that runs, or of the last one. */
  readonly pid: number;
  readonly logFile: string;
}

/** A cluster of real nodes on the loopback address, which makes no index by itself. */
export interface OpenSearchServer extends AsyncDisposable {
  /** Of the first node. */
  readonly url: string;
  readonly urls: readonly string[];
  readonly nodes: readonly OpenSearchNode[];
  /** Ends a node as an operator does, by SIGTERM. */
  stopNode(index: number): Promise<void>;
  killNode(index: number): Promise<void>;
  /** Starts a node again that was ended, on its data and its ports; its shards recover after that (`_cluster/health`). */
  startNode(index: number): Promise<void>;
}

const READY_WITHIN_MS = 180_000;
const ANSWER_WITHIN_MS = 5_000;
const STOPPED_WITHIN_MS = 30_000;
const QUICK_START = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const LOGGING = `status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%-25c{1.}] %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
`;

/** Starts the assembled OpenSearch and waits until all nodes have found each other; a node ends with this process. */
export async function startOpenSearch(options: OpenSearchOptions): Promise<OpenSearchServer> {
  const program = options.security?.program ?? (await findOpenSearch());
  if (!program) throw new StartupError('OpenSearch is not assembled on this machine: npm run test:opensearch does it.');
  const members = await planMembers(options);
  const running = new Map<Member, ServerProcess>();
  const start = async (member: Member) => {
    running.set(member, await spawnNode(program, member, options));
  };
  const end = async (member: Member, signal: NodeJS.Signals) => {
    await running.get(member)?.stop(signal, STOPPED_WITHIN_MS);
  };
  const endAll = async () => {
    await Promise.all(members.map((member) => end(member, 'SIGTERM')));
  };
  const at = (index: number): Member => {
    const member = members[index];
    if (!member) throw new Error(`there is no node ${index}`);
    return member;
  };
  try {
    await Promise.all(members.map(start));
    await Promise.all(members.map((member) => untilReady(member, members.length, running.get(member))));
  } catch (error) {
    await endAll();
    throw error;
  }
  const urls = members.map(urlOf);
  return {
    url: urlOf(at(0)),
    urls,
    nodes: members.map((member) => ({
      name: member.name,
      url: urlOf(member),
      get pid() {
        return running.get(member)?.pid ?? 0;
      },
      logFile: member.logFile,
    })),
    stopNode: (index) => end(at(index), 'SIGTERM'),
    killNode: (index) => end(at(index), 'SIGKILL'),
    async startNode(index) {
      await start(at(index));
      await untilReady(at(index), 1, running.get(at(index)));
    },
    [Symbol.asyncDispose]: endAll,
  };
}

interface Member {
  readonly name: string;
  readonly cluster: string;
  readonly home: string;
  readonly logFile: string;
  readonly port: number;
  readonly caller: SecureCaller | undefined;
}

/** Homes with their configuration, before the first node runs: each must know where to find the others. */
async function planMembers(options: OpenSearchOptions): Promise<Member[]> {
  const { nodes = 1, directory, settings, security, reachedAt = async (port) => port } = options;
  const taken = new Set<number>();
  const anyPort = async (wanted = 0) => {
    const port = await freePort(wanted, taken);
    taken.add(port);
    return port;
  };
  const cluster = `ces-${createHash('sha256').update(path.resolve(directory)).digest('hex').slice(0, 12)}`;
  const members: (Member & { transportPort: number; reachedPort: number })[] = [];
  for (let index = 0; index < nodes; index += 1) {
    const name = `node-${index}`;
    const home = path.resolve(directory, name);
    const port = await anyPort(index === 0 ? options.port : 0);
    const { caller } = security ?? {};
    const transportPort = await anyPort();
    const reachedPort = await reachedAt(transportPort);
    members.push({ name, cluster, home, logFile: path.join(home, 'log'), port, caller, transportPort, reachedPort });
  }
  const leaders = nodes === 2 ? members.slice(0, 1) : members;
  for (const member of members) {
    await writeHome(member, {
      'cluster.name': cluster,
      'node.name': member.name,
      'node.roles': leaders.includes(member) ? ['cluster_manager', 'data', 'ingest'] : ['data', 'ingest'],
      'path.data': path.join(member.home, 'data'),
      'path.logs': path.join(member.home, 'logs'),
      'network.host': '127.0.0.1',
      'http.port': member.port,
      'transport.port': member.transportPort,
      'transport.publish_port': member.reachedPort,
      'discovery.seed_hosts': members.map(({ reachedPort }) => `127.0.0.1:${reachedPort}`),
      'cluster.initial_cluster_manager_nodes': leaders.map(({ name }) => name),
      'action.auto_create_index': false,
      // How full the disk of this machine is says nothing about what is tested.
      'cluster.routing.allocation.disk.threshold_enabled': false,
      ...settings,
    });
    for (const [name, content] of security?.files ?? []) await writeConfiguration(member, name, content);
  }
  return members;
}

async function writeHome({ home }: Member, settings: Record<string, unknown>): Promise<void> {
  for (const name of ['data', 'logs', 'plugins', 'modules', 'tmp'])
    await mkdir(path.join(home, name), { recursive: true, mode: 0o700 });
  // JSON is YAML.
  await writeConfiguration({ home }, 'opensearch.yml', JSON.stringify(settings, undefined, 2));
  await writeConfiguration({ home }, 'log4j2.properties', LOGGING);
}

async function writeConfiguration({ home }: Pick<Member, 'home'>, name: string, content: string): Promise<void> {
  const file = path.join(home, 'config', name);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, content, { mode: 0o600 });
}

async function spawnNode(program: OpenSearchProgram, member: Member, options: OpenSearchOptions) {
  const { heapMb = 512, javaOptions = QUICK_START } = options;
  return await spawnServer({
    program: program.java,
    parameters: [
      ...[`-Xms${heapMb}m`, `-Xmx${heapMb}m`, `-XX:MaxDirectMemorySize=${Math.ceil(heapMb / 2)}m`],
      ...['-XX:MaxMetaspaceSize=256m', '-XX:ReservedCodeCacheSize=96m', '-XX:+ExitOnOutOfMemoryError'],
      ...javaOptions,
      ...['--enable-native-access=ALL-UNNAMED', `-Djava.io.tmpdir=${path.join(member.home, 'tmp')}`],
      ...['-cp', program.classPath, program.mainClass, member.home, ...program.plugins],
    ],
    account: OWN_ACCOUNT,
    logFile: member.logFile,
    orphanSignal: 'TERM',
  });
}

/** At its port another process may answer: the cluster's name is of this directory alone. */
async function untilReady(member: Member, nodes: number, server: ServerProcess | undefined): Promise<void> {
  let ended = false;
  void server?.ended.then(() => {
    ended = true;
  });
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await isReady(member, nodes))) {
    if (ended || performance.now() > deadline)
      throw new StartupError(`OpenSearch did not start (${member.logFile}): ${lastError(await server?.output())}`);
    await pause(100);
  }
}

async function isReady(member: Member, nodes: number): Promise<boolean> {
  const health = `${urlOf(member)}/_cluster/health?wait_for_nodes=ge(${nodes})&timeout=1s`;
  const said = await (member.caller ? askAs(member.caller, health) : askPlainly(health)).catch(() => undefined);
  return (said as { cluster_name?: string } | undefined)?.cluster_name === member.cluster;
}

async function askPlainly(address: string): Promise<unknown> {
  return await (await fetch(address, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })).json();
}

async function askAs(caller: SecureCaller, address: string): Promise<unknown> {
  return (await askSecurely(caller, 'GET', address)).body;
}

function urlOf({ port, caller }: Member): string {
  return `${caller ? 'https' : 'http'}://127.0.0.1:${port}`;
}

function lastError(output = ''): string {
  return output.split('\n').findLast((line) => /\[ERROR\]|Exception/.test(line)) ?? 'no word why';
}
