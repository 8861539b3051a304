import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv, promisify } from 'node:util';
import {
  DATABASE_SERVICES,
  ownerDatabaseSetting,
  REPOSITORY,
  SERVICES,
  type ServiceName,
} from '@ces/topology/services';
import type { Api, KubernetesObject } from '../api.ts';

const execute = promisify(execFile);
const OUTPUT_BYTES = 64 * 1024 * 1024;
export const NAMESPACE = 'ces';
const POSTGRES_ADDRESS = '10.96.0.32';
export const PROXY_URL = 'http://10.96.0.80';

export interface Product {
  readonly api: Api;
  readonly repository: string;
  readonly folder: string;
  shell(commands: string): Promise<string>;
  start(commands: string): ChildProcess;
}

/** Links repository files into a folder that receives all output of the commands. */
export async function openProduct(api: Api, kubeconfig: string, parent: string): Promise<Product> {
  const folder = path.join(parent, 'product');
  const shims = path.join(parent, 'shims');
  for (const each of [folder, shims]) await mkdir(each, { recursive: true });
  for (const each of ['deploy', 'charts', 'test', 'node_modules', 'package.json'])
    await symlink(path.join(REPOSITORY, each), path.join(folder, each));
  // The image has already been built and imported, so these commands do nothing.
  for (const name of ['docker', 'kind']) await writeFile(path.join(shims, name), '#!/bin/sh\n', { mode: 0o755 });
  const { stdout: gitFolder } = await execute('git', ['-C', REPOSITORY, 'rev-parse', '--absolute-git-dir']);
  const env = {
    ...process.env,
    ...{ KUBECONFIG: kubeconfig, GIT_DIR: gitFolder.trim(), HOME: parent },
    PATH: `${shims}:${path.dirname(process.execPath)}:${process.env.PATH}`,
    ...{ PGHOST: POSTGRES_ADDRESS, PGUSER: 'postgres', PGPASSWORD: 'of-the-lab', PGDATABASE: 'postgres' },
  };
  const options = { cwd: folder, env, maxBuffer: OUTPUT_BYTES };
  return {
    ...{ api, folder, repository: REPOSITORY },
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
  readonly uid: string;
  readonly program: string;
  readonly address: string;
  readonly ready: boolean;
}

export async function podsOf(api: Api): Promise<ProductPod[]> {
  const pods = await api.list(`/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=app.kubernetes.io%2Finstance%3Dces`);
  return pods.flatMap(({ metadata, status }) => {
    const { podIP = '', conditions = [] } = (status ?? {}) as PodStatus;
    const program = metadata.labels?.['app.kubernetes.io/component'] ?? '';
    if (metadata.deletionTimestamp || program.startsWith('migrate-')) return [];
    const ready = conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True');
    return [{ name: metadata.name, uid: metadata.uid ?? '', program, address: podIP, ready }];
  });
}

type PodStatus = NonNullable<KubernetesObject['status']> & {
  readonly podIP?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
};

/** The CES_TEST_* variables: the gateway through its proxy, and one pod of each service. */
export async function testEnvironment({ api, folder }: Product): Promise<Record<string, string>> {
  const pods = await podsOf(api);
  const { CES_RPC_TOKEN: adminToken = '' } = await secretsOf(folder, 'admin');
  const env: Record<string, string> = { CES_TEST_GATEWAY_URL: PROXY_URL, CES_TEST_ADMIN_TOKEN: adminToken };
  for (const { name } of DATABASE_SERVICES) {
    env[`CES_TEST_${name.toUpperCase()}_URL`] = urlOf(pods, name);
    env[`CES_TEST_${name.toUpperCase()}_OWNER_DATABASE_URL`] = await ownerUrl(folder, name);
  }
  return env;
}

export function urlOf(pods: readonly ProductPod[], service: ServiceName): string {
  const pod = pods.find(({ program, ready }) => program === service && ready);
  if (!pod) throw new Error(`no pod of ${service} is ready`);
  return `http://${pod.address}:${SERVICES.find(({ name }) => name === service)?.port}`;
}

export async function ownerUrl(folder: string, service: ServiceName): Promise<string> {
  const owner = await secretsOf(folder, `${service}-owner`);
  const url = new URL(owner[ownerDatabaseSetting(service)] ?? '');
  url.host = `${POSTGRES_ADDRESS}:5432`;
  return url.href;
}

export async function secretsOf(folder: string, name: string): Promise<Readonly<Record<string, string | undefined>>> {
  return parseEnv(await readFile(path.join(folder, 'secrets', `${name}.env`), 'utf8'));
}
