import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { run } from '../processes.ts';
import { cached, textsOf } from './cache.ts';

const execute = promisify(execFile);
const OUTPUT_BYTES = 64 * 1024 * 1024;
const SOURCES = path.join(import.meta.dirname, '../programs');
const KUBERNETES = '1.36.3';
const HELM = 'helm.sh/helm/v4@v4.3.1';
const [MAJOR, MINOR] = KUBERNETES.split('.');
const STAMPS = { gitVersion: `v${KUBERNETES}`, gitMajor: MAJOR, gitMinor: MINOR };
const LINK = [
  '-s',
  '-w',
  ...Object.entries(STAMPS).map(([field, value]) => `-X k8s.io/component-base/version.${field}=${value}`),
];
/**
 * Disables optimisation of Kubernetes packages, because that saves more build time than it costs at
 * run time.
 */
const KUBERNETES_FLAGS = ['-gcflags', 'k8s.io/kubernetes/...=-N -l -dwarf=false', '-ldflags', LINK.join(' ')];
/** One binary contains all programs and selects one by its name. */
const NAMES = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy', 'kubelet'];
/** `name=version` of Debian 12 packages. apt verifies their signatures. */
const NFTABLES = [
  ...['nftables=1.0.6-2+deb12u2', 'libnftables1=1.0.6-2+deb12u2', 'libnftnl11=1.2.4-2', 'libmnl0=1.0.4-3'],
  ...['libjansson4=2.14-2'],
];
const PACKAGES = [
  ...['containerd=1.6.20~ds1-1+deb12u3', 'runc=1.1.5+ds1-1+deb12u1', 'containernetworking-plugins=1.1.1+ds1-3+b5'],
  ...['etcd-server=3.4.23-4+b4', 'busybox-static=1:1.35.0-4+deb12u1+b1', 'nginx=1.22.1-9+deb12u11'],
  ...['docker.io=20.10.24+dfsg1-1+deb12u1+b6'],
];

export interface Programs {
  /** In PATH of all processes of the node. */
  readonly bin: string;
  readonly debian: string;
  readonly cni: string;
  readonly busybox: string;
  readonly nginx: string;
  readonly coredns: string;
  readonly pause: string;
  readonly natsServer: string;
}

/**
 * Builds or unpacks missing programs. A build from scratch takes twenty minutes on two idle cores.
 */
export async function findPrograms(): Promise<Programs> {
  const nftables = await unpackPackages('nftables', NFTABLES);
  const helm = await buildOf(HELM, './cmd/helm', 'helm');
  const debian = await unpackPackages('debian', PACKAGES);
  const kubernetes = await buildModule('kubernetes', KUBERNETES_FLAGS);
  const kubectl =
    (await installed('kubectl')) ?? path.join(await buildModule('kubernetes/kubectl', KUBERNETES_FLAGS), 'kubectl');
  const bin = await cached('bin', [nftables, helm, kubernetes, kubectl], async (folder) => {
    for (const name of NAMES) await symlink(path.join(kubernetes, 'kubernetes'), path.join(folder, name));
    await symlink(kubectl, path.join(folder, 'kubectl'));
    for (const name of ['containerd', 'containerd-shim-runc-v2', 'ctr', 'etcd'])
      await symlink(path.join(debian, 'usr/bin', name), path.join(folder, name));
    await symlink(path.join(debian, 'usr/sbin/runc'), path.join(folder, 'runc'));
    await symlink(helm, path.join(folder, 'helm'));
    const libraries = path.join(nftables, 'usr/lib/x86_64-linux-gnu');
    const nft = `#!/bin/sh\nLD_LIBRARY_PATH=${libraries} exec ${nftables}/usr/sbin/nft "$@"\n`;
    await writeFile(path.join(folder, 'nft'), nft, { mode: 0o755 });
  });
  return {
    ...{ bin, debian },
    cni: path.join(debian, 'usr/lib/cni'),
    busybox: path.join(debian, 'bin/busybox'),
    nginx: path.join(debian, 'usr/sbin/nginx'),
    coredns: path.join(await buildModule('dns', ['-ldflags', '-s -w']), 'dns'),
    pause: path.join(await compilePause(), 'pause'),
    natsServer: path.join(await buildModule('nats', ['-ldflags', '-s -w']), 'nats'),
  };
}

async function installed(name: string): Promise<string | undefined> {
  return await execute('which', [name]).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

/** Builds a program in the folder of its module, since `go install` refuses replacements. */
export async function buildOf(module: string, source: string, name: string): Promise<string> {
  const folder = await cached(name, [module], async (staging) => {
    await buildProgram(await findModule(module), source, path.join(staging, name), ['-ldflags', '-s -w']);
  });
  return path.join(folder, name);
}

/** The folder of a module such as `example.org/name@v1.2.3`. */
async function findModule(module: string): Promise<string> {
  return (JSON.parse(await run('go', ['mod', 'download', '-json', module], '/')) as { Dir: string }).Dir;
}

/** Builds a small module that wraps programs of other modules. Its go.sum pins them. */
async function buildModule(name: string, flags: readonly string[]): Promise<string> {
  const source = path.join(SOURCES, name);
  const program = path.basename(name);
  return await cached(program, [...(await textsOf(source)), ...flags], (folder) =>
    buildProgram(source, '.', path.join(folder, program), flags),
  );
}

async function buildProgram(source: string, name: string, to: string, flags: readonly string[]): Promise<void> {
  const parameters = ['build', '-trimpath', '-mod=readonly', ...flags, '-o', to, name];
  // A higher GOGC makes the compiler faster.
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', GOGC: '800' };
  await execute('nice', ['-n', '15', 'go', ...parameters], { cwd: source, env, maxBuffer: OUTPUT_BYTES });
}

async function compilePause(): Promise<string> {
  return await cached('pause', [KUBERNETES], async (folder) => {
    const source = path.join(await findModule(`k8s.io/kubernetes@v${KUBERNETES}`), 'build/pause/linux/pause.c');
    const options = ['-Os', '-static', `-DVERSION=${KUBERNETES}`, '-o', path.join(folder, 'pause'), source];
    await execute('gcc', options);
  });
}

/** Downloads Debian packages and unpacks them into one folder without installation. */
async function unpackPackages(name: string, packages: readonly string[]): Promise<string> {
  return await cached(name, packages, async (folder) => {
    const archives = path.join(folder, 'archives');
    await mkdir(archives);
    const isolated = ['-o', 'APT::Sandbox::User='];
    await execute('apt-get', [...isolated, 'download', ...packages], { cwd: archives }).catch((error: Error) => {
      throw new Error(`Debian's packages could not be fetched (apt-get update, on Debian 12?): ${error.message}`);
    });
    for (const archive of await readdir(archives))
      await execute('dpkg-deb', ['-x', path.join(archives, archive), folder]);
  });
}
