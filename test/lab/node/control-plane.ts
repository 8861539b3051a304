import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Api, createApi } from './api.ts';
import { freePort, type NodeProcess, startProcess } from './processes.ts';

/** etcd, API server and controllers. */
export interface ControlPlane extends AsyncDisposable {
  readonly api: Api;
  readonly kubeconfig: string;
  /** Credentials with exactly the rights of a node component. */
  kubeconfigOf(part: Part): Promise<string>;
}

const PARTS = {
  kubelet: ['system:node:node0', 'system:nodes'],
  proxy: ['system:kube-proxy', ''],
  scheduler: ['system:kube-scheduler', ''],
} as const;
type Part = keyof typeof PARTS;

const READY_WITHIN_MS = 180_000;

export async function startControlPlane(bin: string, address: string, logs: string): Promise<ControlPlane> {
  await using starting = new AsyncDisposableStack();
  const folder = path.join(logs, '../control-plane');
  await mkdir(folder);
  const spawn: Spawn = async (name, parameters) =>
    starting.use(await startProcess(path.join(bin, name), parameters, path.join(logs, `${name}.log`)));
  const etcd = await spawnEtcd(folder, spawn);
  const tokens = { admin: draw(), kubelet: draw(), proxy: draw(), scheduler: draw() };
  const port = await freePort();
  await writeTokens(folder, tokens);
  const apiServer = await spawn('kube-apiserver', await apiServerParameters(folder, etcd, address, port));
  const url = `https://${address}:${port}`;
  const authority = path.join(folder, 'apiserver.crt');
  const certificate = await readWhenThere(authority, apiServer);
  const api = createApi(url, tokens.admin, certificate);
  await untilReady(api, apiServer);
  const writeKubeconfig = async (name: 'admin' | Part) => {
    const file = path.join(folder, `${name}.kubeconfig`);
    await writeFile(file, JSON.stringify(kubeconfigOf(url, certificate, tokens[name])), { mode: 0o600 });
    return file;
  };
  const kubeconfig = await writeKubeconfig('admin');
  await spawn('kube-controller-manager', [
    ...['--kubeconfig', kubeconfig, '--bind-address', '127.0.0.1', '--secure-port', '0', '--leader-elect=false'],
    ...['--controllers', '*', '--root-ca-file', authority],
    ...['--service-account-private-key-file', path.join(folder, 'accounts.key')],
  ]);
  const started = starting.move();
  return { api, kubeconfig, kubeconfigOf: writeKubeconfig, [Symbol.asyncDispose]: () => started.disposeAsync() };
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

type Spawn = (name: string, parameters: readonly string[]) => Promise<NodeProcess>;

async function spawnEtcd(folder: string, spawn: Spawn): Promise<string> {
  const clients = `http://127.0.0.1:${await freePort()}`;
  await spawn('etcd', [
    ...['--data-dir', path.join(folder, 'etcd'), '--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', `http://127.0.0.1:${await freePort()}`],
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
    ...['--service-cluster-ip-range', '10.96.0.0/16', '--kubelet-preferred-address-types', 'InternalIP'],
    '--allow-privileged=true',
  ];
}

async function readWhenThere(file: string, { output }: NodeProcess): Promise<string> {
  for (const deadline = performance.now() + READY_WITHIN_MS; ; await pause(200)) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.includes('-----END')) return text;
    if (performance.now() > deadline)
      throw new Error(`the API server does not start: ${(await output()).slice(-2_000)}`);
  }
}

async function untilReady(api: Api, { output }: NodeProcess): Promise<void> {
  for (const deadline = performance.now() + READY_WITHIN_MS; ; await pause(300)) {
    const { status } = await api.get('/readyz').catch(() => ({ status: 0 }));
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
