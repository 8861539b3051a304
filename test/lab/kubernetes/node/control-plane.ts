import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@ces/servers/ports';
import { OWN_ACCOUNT } from '@ces/servers/processes/account';
import { spawnServer } from '@ces/servers/processes/server';
import { createAuthority } from '../../../support/certificates.ts';
import { type Api, createApi } from '../api.ts';

/** etcd, API server and controllers. Disposal stops them and deletes their data. */
export interface ControlPlane extends AsyncDisposable {
  readonly api: Api;
  readonly kubeconfig: string;
  /** Credentials with exactly the rights of a node component. */
  kubeconfigOf(part: Part): Promise<string>;
}

export interface ControlPlaneRequest {
  readonly bin: string;
  readonly address: string;
  readonly controllers: readonly string[];
}

const PARTS = {
  kubelet: ['system:node:node0', 'system:nodes'],
  proxy: ['system:kube-proxy', ''],
  scheduler: ['system:kube-scheduler', ''],
} as const;
type Part = keyof typeof PARTS;

const READY_WITHIN_MS = 180_000;
const GRACE_MS = 20_000;

export async function startControlPlane(request: ControlPlaneRequest): Promise<ControlPlane> {
  const cleanup = new AsyncDisposableStack();
  try {
    return await start(request, cleanup);
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function start(
  { bin, address, controllers }: ControlPlaneRequest,
  cleanup: AsyncDisposableStack,
): Promise<ControlPlane> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-cluster-'));
  // Keeps the logs if the node's are kept.
  if (!process.env.KEEP_NODE) cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const spawn = async (name: string, parameters: readonly string[]) => {
    const logFile = path.join(folder, `${name}.log`);
    const program = path.join(bin, name);
    const server = await spawnServer({ program, parameters, account: OWN_ACCOUNT, logFile, orphanSignal: 'TERM' });
    cleanup.defer(() => server.stop('SIGTERM', GRACE_MS));
    return server;
  };
  const etcd = await spawnEtcd(folder, spawn);
  const tokens = { admin: draw(), kubelet: draw(), proxy: draw(), scheduler: draw() };
  const port = await freePort(0);
  await writeTokens(folder, tokens);
  const apiServer = await spawn('kube-apiserver', await apiServerParameters(folder, etcd, address, port));
  const url = `https://${address}:${port}`;
  const authority = path.join(folder, 'apiserver.crt');
  const certificate = await readWhenThere(authority, apiServer.output);
  const api = createApi(url, tokens.admin, certificate);
  await untilReady(api, apiServer.output);
  const writeKubeconfig = async (name: 'admin' | Part) => {
    const file = path.join(folder, `${name}.kubeconfig`);
    await writeFile(file, JSON.stringify(kubeconfigOf(url, certificate, tokens[name])), { mode: 0o600 });
    return file;
  };
  const kubeconfig = await writeKubeconfig('admin');
  await spawn('kube-controller-manager', [
    ...['--kubeconfig', kubeconfig, '--bind-address', '127.0.0.1', '--secure-port', '0', '--leader-elect=false'],
    ...['--controllers', controllers.join(','), '--root-ca-file', authority],
    ...['--service-account-private-key-file', path.join(folder, 'accounts.key')],
  ]);
  return { api, kubeconfig, kubeconfigOf: writeKubeconfig, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

function draw(): string {
  return randomBytes(32).toString('hex');
}

async function writeTokens(folder: string, tokens: Readonly<Record<'admin' | Part, string>>): Promise<void> {
  const parts = Object.entries(PARTS).map(
    ([part, [user, group]]) => `${tokens[part as Part]},${user},${part},${group}`,
  );
  const lines = [`${tokens.admin},check,check,system:masters`, ...parts];
  await writeFile(path.join(folder, 'tokens.csv'), `${lines.join('\n')}\n`, { mode: 0o600 });
}

type Spawn = (name: string, parameters: readonly string[]) => ReturnType<typeof spawnServer>;

async function spawnEtcd(folder: string, spawn: Spawn): Promise<string> {
  const clients = `http://127.0.0.1:${await freePort(0)}`;
  await spawn('etcd', [
    ...['--data-dir', path.join(folder, 'etcd'), '--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', `http://127.0.0.1:${await freePort(0)}`],
  ]);
  return clients;
}

/** The server signs its own certificate. Keys and tokens exist as long as the folder. */
async function apiServerParameters(folder: string, etcd: string, address: string, port: number): Promise<string[]> {
  const accountsKey = path.join(folder, 'accounts.key');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(accountsKey, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  return [
    ...['--etcd-servers', etcd, '--bind-address', address, '--secure-port', String(port), '--cert-dir', folder],
    ...['--service-account-key-file', accountsKey, '--service-account-signing-key-file', accountsKey],
    ...[
      '--service-account-issuer',
      'https://kubernetes.default.svc.cluster.local',
      '--token-auth-file',
      path.join(folder, 'tokens.csv'),
    ],
    ...['--authorization-mode', 'Node,RBAC', '--enable-admission-plugins', 'NodeRestriction'],
    ...(await aggregatorParameters(folder)),
    ...['--service-cluster-ip-range', '10.96.0.0/16', '--kubelet-preferred-address-types', 'InternalIP'],
    ...['--allow-privileged=true', ...(address === '127.0.0.1' ? ['--endpoint-reconciler-type', 'none'] : [])],
  ];
}

/** Certificate with which aggregated API servers verify that a request passed this one. */
async function aggregatorParameters(folder: string): Promise<string[]> {
  const place = path.join(folder, 'aggregator');
  await mkdir(place);
  const { certFile, keyFile, caFile } = await (await createAuthority()).issue(place, ['aggregator']);
  return [
    ...['--requestheader-client-ca-file', caFile, '--requestheader-allowed-names', 'aggregator'],
    ...['--requestheader-username-headers', 'X-Remote-User', '--requestheader-group-headers', 'X-Remote-Group'],
    ...['--requestheader-extra-headers-prefix', 'X-Remote-Extra-', '--enable-aggregator-routing=true'],
    ...['--proxy-client-cert-file', certFile, '--proxy-client-key-file', keyFile],
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
