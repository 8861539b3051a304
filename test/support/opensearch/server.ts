import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { freePort } from '@ces/servers/ports';
import { OWN_ACCOUNT } from '@ces/servers/processes/account';
import { type ServerProcess, spawnServer } from '@ces/servers/processes/server';
import { findOpenSearch, type OpenSearchProgram } from './assemble.ts';

export interface OpenSearchOptions {
  /**
   * Default 1. Of two nodes only the first can be cluster manager, so the second may fail. Of three
   * or more, any one may fail.
   */
  readonly nodes?: number;
  /** Contains home, data and logs of each node. A later start continues with them. */
  readonly directory: string;
  /**
   * Heap of each node in MiB, default 512. Buffers add up to half of it, classes and code up to 352
   * MiB.
   */
  readonly heapMb?: number;
  /** Whether nodes have the k-NN plugin; default true. */
  readonly vectors?: boolean;
}

interface OpenSearchNode {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly logFile: string;
}

/** A cluster of real nodes on the loopback address. It never creates an index automatically. */
export interface OpenSearchServer extends AsyncDisposable {
  readonly url: string;
  readonly urls: readonly string[];
  readonly nodes: readonly OpenSearchNode[];
  killNode(index: number): Promise<void>;
  /**
   * Restarts a killed node with its data and ports. Its shards recover later (`_cluster/health`).
   */
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

/**
 * Starts the assembled OpenSearch and waits until all nodes have joined. The nodes end with this
 * process.
 */
export async function startOpenSearch(options: OpenSearchOptions): Promise<OpenSearchServer> {
  const program = await findOpenSearch();
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
}

/**
 * Writes every node's configuration before the first start, because each lists the addresses of the
 * others.
 */
async function planMembers(options: OpenSearchOptions): Promise<Member[]> {
  const { nodes = 1, directory } = options;
  const taken = new Set<number>();
  const anyPort = async () => {
    const port = await freePort(0, taken);
    taken.add(port);
    return port;
  };
  const cluster = `ces-${createHash('sha256').update(path.resolve(directory)).digest('hex').slice(0, 12)}`;
  const members: (Member & { transportPort: number })[] = [];
  for (let index = 0; index < nodes; index += 1) {
    const name = `node-${index}`;
    const home = path.resolve(directory, name);
    const port = await anyPort();
    members.push({ name, cluster, home, logFile: path.join(home, 'log'), port, transportPort: await anyPort() });
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
      'discovery.seed_hosts': members.map(({ transportPort }) => `127.0.0.1:${transportPort}`),
      'cluster.initial_cluster_manager_nodes': leaders.map(({ name }) => name),
      'action.auto_create_index': false,
      // The tests must not depend on how full the disk is.
      'cluster.routing.allocation.disk.threshold_enabled': false,
    });
  }
  return members;
}

async function writeHome({ home }: Member, settings: Record<string, unknown>): Promise<void> {
  for (const name of ['data', 'logs', 'plugins', 'modules', 'tmp'])
    await mkdir(path.join(home, name), { recursive: true, mode: 0o700 });
  // YAML accepts JSON.
  await writeConfiguration({ home }, 'opensearch.yml', JSON.stringify(settings, undefined, 2));
  await writeConfiguration({ home }, 'log4j2.properties', LOGGING);
}

async function writeConfiguration({ home }: Pick<Member, 'home'>, name: string, content: string): Promise<void> {
  const file = path.join(home, 'config', name);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, content, { mode: 0o600 });
}

async function spawnNode(program: OpenSearchProgram, member: Member, options: OpenSearchOptions) {
  const { heapMb = 512, vectors = true } = options;
  return await spawnServer({
    program: program.java,
    parameters: [
      ...[`-Xms${heapMb}m`, `-Xmx${heapMb}m`, `-XX:MaxDirectMemorySize=${Math.ceil(heapMb / 2)}m`],
      ...['-XX:MaxMetaspaceSize=256m', '-XX:ReservedCodeCacheSize=96m', '-XX:+ExitOnOutOfMemoryError'],
      ...QUICK_START,
      ...['--enable-native-access=ALL-UNNAMED', `-Djava.io.tmpdir=${path.join(member.home, 'tmp')}`],
      ...['-cp', program.classPath, program.mainClass, member.home, ...(vectors ? ['knn'] : [])],
    ],
    account: OWN_ACCOUNT,
    logFile: member.logFile,
    orphanSignal: 'TERM',
  });
}

/** Another process may answer at the port. The cluster name is unique to this directory. */
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
  const said = await fetch(health, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    .then((answer) => answer.json())
    .catch(() => undefined);
  return (said as { cluster_name?: string } | undefined)?.cluster_name === member.cluster;
}

function urlOf({ port }: Member): string {
  return `http://127.0.0.1:${port}`;
}

function lastError(output = ''): string {
  return output.split('\n').findLast((line) => /\[ERROR\]|Exception/.test(line)) ?? 'no word why';
}
