import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@ces/servers/ports';
import { OWN_ACCOUNT } from '@ces/servers/processes/account';
import { spawnServer } from '@ces/servers/processes/server';
import { type Api, createApi } from './api.ts';
import { findEtcd, findKubernetesProgram } from './programs.ts';

/** etcd, API server and controllers on the loopback address; disposing ends them and removes all they kept. */
export interface ControlPlane extends AsyncDisposable {
  readonly api: Api;
  /** For helm. */
  readonly kubeconfig: string;
}

/** Without those that need nodes, clouds or metrics: what makes pods of Deployments and Jobs, and takes away what has no owner. */
const CONTROLLERS = [
  ...['deployment', 'replicaset', 'job', 'disruption', 'serviceaccount', 'namespace', 'garbage-collector'],
  ...['ttl-after-finished', 'endpointslice'],
].map((name) => `${name}-controller`);
const READY_WITHIN_MS = 180_000;
const GRACE_MS = 20_000;

export async function startControlPlane(): Promise<ControlPlane> {
  const cleanup = new AsyncDisposableStack();
  try {
    return await start(cleanup);
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function start(cleanup: AsyncDisposableStack): Promise<ControlPlane> {
  const programs = [
    await findEtcd(),
    await findKubernetesProgram('kube-apiserver'),
    await findKubernetesProgram('kube-controller-manager'),
  ] as const;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-cluster-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const spawn = async (program: string, parameters: readonly string[]) => {
    const logFile = path.join(folder, `${path.basename(program)}.log`);
    const server = await spawnServer({ program, parameters, account: OWN_ACCOUNT, logFile, orphanSignal: 'TERM' });
    cleanup.defer(() => server.stop('SIGTERM', GRACE_MS));
    return server;
  };
  const etcd = await spawnEtcd(programs[0], folder, spawn);
  const token = randomBytes(32).toString('hex');
  const port = await freePort(0);
  const apiServer = await spawn(programs[1], await apiServerParameters(folder, etcd, port, token));
  const url = `https://127.0.0.1:${port}`;
  const certificate = await readWhenThere(path.join(folder, 'apiserver.crt'), apiServer.output);
  const api = createApi(url, token, certificate);
  await untilReady(api, apiServer.output);
  const kubeconfig = path.join(folder, 'kubeconfig');
  await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(url, certificate, token)), { mode: 0o600 });
  await spawn(programs[2], [
    ...['--kubeconfig', kubeconfig, '--bind-address', '127.0.0.1', '--secure-port', '0', '--leader-elect=false'],
    ...[
      '--controllers',
      CONTROLLERS.join(','),
      '--service-account-private-key-file',
      path.join(folder, 'accounts.key'),
    ],
  ]);
  return { api, kubeconfig, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

type Spawn = (program: string, parameters: readonly string[]) => ReturnType<typeof spawnServer>;

async function spawnEtcd(program: string, folder: string, spawn: Spawn): Promise<string> {
  const clients = `http://127.0.0.1:${await freePort(0)}`;
  await spawn(program, [
    ...['--data-dir', path.join(folder, 'etcd'), '--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', `http://127.0.0.1:${await freePort(0)}`],
  ]);
  return clients;
}

/** The server signs a certificate for itself; keys and tokens live as long as the folder. */
async function apiServerParameters(folder: string, etcd: string, port: number, token: string): Promise<string[]> {
  const accountsKey = path.join(folder, 'accounts.key');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(accountsKey, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  const tokens = path.join(folder, 'tokens.csv');
  await writeFile(tokens, `${token},check,check,system:masters\n`, { mode: 0o600 });
  return [
    ...['--etcd-servers', etcd, '--bind-address', '127.0.0.1', '--secure-port', String(port), '--cert-dir', folder],
    ...['--service-account-key-file', accountsKey, '--service-account-signing-key-file', accountsKey],
    ...['--service-account-issuer', 'https://kubernetes.default.svc', '--token-auth-file', tokens],
    ...['--authorization-mode', 'RBAC', '--service-cluster-ip-range', '10.96.0.0/16'],
    ...['--endpoint-reconciler-type', 'none'],
  ];
}

async function readWhenThere(file: string, output: () => Promise<string>): Promise<string> {
  for (const deadline = performance.now() + READY_WITHIN_MS; ; await pause(200)) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.includes('-----END')) return text;
    if (performance.now() > deadline)
      throw new Error(`the API server does not start: ${(await output()).slice(-2_000)}`);
  }
}

async function untilReady(api: Api, output: () => Promise<string>): Promise<void> {
  for (const deadline = performance.now() + READY_WITHIN_MS; ; await pause(300)) {
    const { status } = await api.call('GET', '/readyz').catch(() => ({ status: 0 }));
    if (status === 200) return;
    if (performance.now() > deadline) throw new Error(`the API server is not ready: ${(await output()).slice(-2_000)}`);
  }
}

function kubeconfigOf(server: string, certificate: string, token: string) {
  const name = 'check';
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [
      { name, cluster: { server, 'certificate-authority-data': Buffer.from(certificate).toString('base64') } },
    ],
    users: [{ name, user: { token } }],
  };
}
