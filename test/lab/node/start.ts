import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Api } from './api.ts';
import type { Image } from './build/images.ts';
import type { Programs } from './build/programs.ts';
import { startControlPlane } from './control-plane.ts';
import { enforcePolicies } from './policies/enforce.ts';
import { type NodeProcess, run, startProcess, until } from './processes.ts';

const ADDRESS = '10.88.0.1';
const POD_NETWORK = '10.244.0.0/24';
const DNS_ADDRESS = '10.96.0.10';
const SOCKET = '/run/containerd/containerd.sock';
const READY_WITHIN_MS = 180_000;

export interface Node extends AsyncDisposable {
  readonly api: Api;
  readonly kubeconfig: string;
}

/** Starts the node in the namespaces that `enter.sh` creates. Resolves when it is ready. */
export async function startNode(programs: Programs, images: readonly Image[], folder: string): Promise<Node> {
  const cleanup = new AsyncDisposableStack();
  const logs = path.join(folder, 'logs');
  const settings = path.join(folder, 'settings');
  for (const each of [logs, settings, path.join(folder, 'cni')]) await mkdir(each, { recursive: true });
  const spawn = async (name: string, parameters: readonly string[]) =>
    cleanup.use(await startProcess(path.join(programs.bin, name), parameters, path.join(logs, `${name}.log`)));
  const controlPlane = cleanup.use(await startControlPlane(programs.bin, ADDRESS, logs));
  const { api, kubeconfig } = controlPlane;
  const write = async (name: string, text: string) => {
    const file = path.join(settings, name);
    await writeFile(file, text, { mode: 0o600 });
    return file;
  };
  const containerd = await spawn('containerd', [
    '--config',
    await write('containerd.toml', containerdConfig(programs, folder)),
  ]);
  await untilAnswers(containerd);
  for (const { archive } of images)
    await run('ctr', ['--address', SOCKET, '--namespace', 'k8s.io', 'images', 'import', archive]);
  const policies = cleanup.use(await enforcePolicies(api, POD_NETWORK));
  policies.failed.catch((error: Error) => process.stderr.write(`policies are enforced no more: ${error.message}\n`));
  await writeFile(path.join(folder, 'cni/10-node.conflist'), JSON.stringify(CNI));
  await spawn('kube-scheduler', [
    ...['--kubeconfig', await controlPlane.kubeconfigOf('scheduler'), '--leader-elect=false'],
    ...['--bind-address', '127.0.0.1'],
  ]);
  const proxy = await write('proxy.yaml', JSON.stringify(proxyConfig(await controlPlane.kubeconfigOf('proxy'))));
  await spawn('kube-proxy', ['--config', proxy, '--hostname-override', 'node0']);
  await write('resolv.conf', '');
  const kubelet = await write('kubelet.yaml', JSON.stringify(kubeletConfig(settings)));
  await spawn('kubelet', [
    ...['--config', kubelet, '--kubeconfig', await controlPlane.kubeconfigOf('kubelet')],
    ...['--hostname-override', 'node0', '--node-ip', ADDRESS],
  ]);
  await until('the node is ready', READY_WITHIN_MS, async () => {
    const { body } = await api.get('/api/v1/nodes/node0');
    const { status } = body as { status?: { conditions?: { type: string; status: string }[] } };
    return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false;
  });
  return { api, kubeconfig, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

async function untilAnswers(containerd: NodeProcess): Promise<void> {
  const answers = () =>
    run('ctr', ['--address', SOCKET, 'version']).then(
      () => true,
      () => false,
    );
  await until('containerd answers', READY_WITHIN_MS, answers).catch(async (error: Error) => {
    throw new Error(`${error.message}: ${(await containerd.output()).slice(-2_000)}`);
  });
}

/**
 * Each pod has a point-to-point link to the node, so all its traffic passes the node's nftables
 * rules.
 */
const CNI = {
  cniVersion: '1.0.0',
  name: 'node',
  plugins: [
    {
      ...{ type: 'ptp', ipMasq: false, mtu: 1500 },
      ipam: { type: 'host-local', subnet: POD_NETWORK, dataDir: '/run/cni', routes: [{ dst: '0.0.0.0/0' }] },
    },
  ],
};

/** Leaves OOM scores unchanged, because lowering them needs a capability that root may lack. */
function containerdConfig({ bin, cni }: Programs, folder: string): string {
  return `version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.internal.v1.opt", "io.containerd.tracing.processor.v1.otlp", "io.containerd.internal.v1.tracing"]
[grpc]
  address = "${SOCKET}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "registry.k8s.io/pause:3.10"
  restrict_oom_score_adj = true
  enable_unprivileged_ports = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${cni}"
    conf_dir = "${folder}/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        BinaryName = "${bin}/runc"
        SystemdCgroup = false
`;
}

/** These options have no flags. The API is open to local processes. */
function kubeletConfig(settings: string) {
  return {
    ...{ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' },
    ...{ failCgroupV1: false, cgroupDriver: 'cgroupfs', oomScoreAdj: 0, failSwapOn: false },
    containerRuntimeEndpoint: `unix://${SOCKET}`,
    clusterDNS: [DNS_ADDRESS],
    clusterDomain: 'cluster.local',
    resolvConf: path.join(settings, 'resolv.conf'),
    volumePluginDir: '/var/lib/kubelet/plugins',
    makeIPTablesUtilChains: false,
    // Bounds the delay until a changed Secret reaches the files of pods.
    syncFrequency: '15s',
    // Disables image garbage collection, because imported images cannot be pulled again.
    imageGCHighThresholdPercent: 100,
    evictionHard: { 'memory.available': '100Mi' },
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
  };
}

function proxyConfig(kubeconfig: string) {
  return {
    ...{ apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration' },
    ...{ mode: 'nftables', clusterCIDR: POD_NETWORK, oomScoreAdj: 0, clientConnection: { kubeconfig } },
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  };
}
