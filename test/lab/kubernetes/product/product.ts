import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv, promisify } from 'node:util';
import {
  DATABASE_SERVICES,
  ownerDatabaseSetting,
  REPOSITORY,
  SERVICES,
  type ServiceName,
} from '@ces/topology/services';
import { type Forward, forward } from '../forward.ts';
import { type KubernetesObject, list } from '../kubectl.ts';

const execute = promisify(execFile);
const OUTPUT_BYTES = 64 * 1024 * 1024;
export const NAMESPACE = 'ces';
export const IMAGE = 'company-evidence-search';

export interface Product {
  readonly folder: string;
  /** Where calls of subscribers go: the proxy before the gateway. */
  readonly proxyUrl: string;
  /** The Postgres beside the product, from here. */
  readonly postgresPort: number;
  shell(commands: string): Promise<string>;
  start(commands: string): ChildProcess;
}

/** Links repository files into a folder that receives all output of the commands. */
export async function openProduct(
  parent: string,
  { proxyPort = 0, postgresPort = 0 }: { readonly proxyPort?: number; readonly postgresPort?: number },
): Promise<Product> {
  const folder = path.join(parent, 'product');
  await mkdir(folder, { recursive: true });
  for (const each of ['deploy', 'charts', 'test', 'node_modules', 'package.json'])
    await symlink(path.join(REPOSITORY, each), path.join(folder, each));
  const { stdout: gitFolder } = await execute('git', ['-C', REPOSITORY, 'rev-parse', '--absolute-git-dir']);
  const env = {
    ...process.env,
    GIT_DIR: gitFolder.trim(),
    ...{ PGHOST: '127.0.0.1', PGPORT: String(postgresPort), PGUSER: 'postgres', PGPASSWORD: 'of-the-lab' },
    PGDATABASE: 'postgres',
  };
  const options = { cwd: folder, env, maxBuffer: OUTPUT_BYTES };
  return {
    ...{ folder, postgresPort },
    proxyUrl: `http://127.0.0.1:${proxyPort}`,
    async shell(commands) {
      return await execute('bash', ['-euo', 'pipefail', '-c', commands], options).then(
        ({ stdout }) => stdout,
        ({ stdout, stderr }: Error & { stdout: string; stderr: string }) => {
          throw new Error(`${commands.split('\n')[0]} …: ${`${stdout}\n${stderr}`.trim().slice(-2_000)}`);
        },
      );
    },
    start: (commands) => spawn('bash', ['-c', `exec ${commands}`], { cwd: folder, env, stdio: 'ignore' }),
  };
}

export interface ProductPod {
  readonly name: string;
  readonly program: string;
  readonly address: string;
  readonly ready: boolean;
}

export async function podsOf(): Promise<ProductPod[]> {
  const pods = await list(`/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=app.kubernetes.io%2Finstance%3Dces`);
  return pods.flatMap(({ metadata, status }) => {
    const { podIP = '', conditions = [] } = (status ?? {}) as PodStatus;
    const program = metadata.labels?.['app.kubernetes.io/component'] ?? '';
    if (metadata.deletionTimestamp || program.startsWith('migrate-')) return [];
    const ready = conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True');
    return [{ name: metadata.name, program, address: podIP, ready }];
  });
}

type PodStatus = NonNullable<KubernetesObject['status']> & {
  readonly podIP?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
};

/** The ways from here to one ready pod of each of some services. */
export interface Ways extends AsyncDisposable {
  urlOf(service: ServiceName): string;
}

export async function openWays(services: readonly ServiceName[]): Promise<Ways> {
  await using opening = new AsyncDisposableStack();
  const pods = await podsOf();
  const urls = new Map<ServiceName, string>();
  for (const service of services) {
    const pod = pods.find(({ program, ready }) => program === service && ready);
    const port = SERVICES.find(({ name }) => name === service)?.port;
    if (!pod || port === undefined) throw new Error(`no pod of ${service} is ready`);
    const way = opening.use(await forward(NAMESPACE, `pod/${pod.name}`, port));
    urls.set(service, `http://127.0.0.1:${way.port}`);
  }
  const opened = opening.move();
  return { urlOf: (service) => urls.get(service) ?? '', [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** The CES_TEST_* variables: the gateway through its proxy, and one pod of each service. */
export async function testEnvironment(product: Product, ways: Ways): Promise<Record<string, string>> {
  const { CES_RPC_TOKEN: adminToken = '' } = await secretsOf(product.folder, 'admin');
  const env: Record<string, string> = { CES_TEST_GATEWAY_URL: product.proxyUrl, CES_TEST_ADMIN_TOKEN: adminToken };
  for (const { name } of DATABASE_SERVICES) {
    env[`CES_TEST_${name.toUpperCase()}_URL`] = ways.urlOf(name);
    env[`CES_TEST_${name.toUpperCase()}_OWNER_DATABASE_URL`] = await ownerUrl(product, name);
  }
  return env;
}

/** The owner's address of a database beside the product, from here. */
export async function ownerUrl({ folder, postgresPort }: Product, service: ServiceName): Promise<string> {
  const owner = await secretsOf(folder, `${service}-owner`);
  const url = new URL(owner[ownerDatabaseSetting(service)] ?? '');
  url.host = `127.0.0.1:${postgresPort}`;
  return url.href;
}

export async function secretsOf(folder: string, name: string): Promise<Readonly<Record<string, string | undefined>>> {
  return parseEnv(await readFile(path.join(folder, 'secrets', `${name}.env`), 'utf8'));
}

/** Metrics of a pod whose series match. */
export async function metricsOf(way: Forward, wanted: RegExp) {
  const answer = await fetch(`http://127.0.0.1:${way.port}/metrics`);
  if (!answer.ok) throw new Error('a pod shows no metrics');
  return (await answer.text()).split('\n').flatMap((line) => {
    const end = line.lastIndexOf(' ');
    return wanted.test(line) ? [{ series: line.slice(0, end), value: Number(line.slice(end + 1)) }] : [];
  });
}
