import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Image } from './build/images.ts';
import type { Programs } from './build/programs.ts';
import { run, until } from './processes.ts';
import { type Node, startNode } from './start.ts';

export interface Work {
  readonly programs: Programs;
  readonly images: readonly Image[];
  readonly folder: string;
  readonly command: readonly string[];
}

const DNS_WITHIN_MS = 120_000;
/** Two for each server of a replicated database, three for NATS, and some for replacements. */
const VOLUMES = 40;

const [file = ''] = process.argv.slice(2);
process.exitCode = await main(JSON.parse(await readFile(file, 'utf8')) as Work);

async function main({ programs, images, folder, command }: Work): Promise<number> {
  process.env.PATH = `${programs.bin}:${path.dirname(process.execPath)}:${process.env.PATH}`;
  await using node = await startNode(programs, images, folder);
  process.env.KUBECONFIG = node.kubeconfig;
  // Caches of helm and kubectl end with the node.
  process.env.KUBECACHEDIR = path.join(folder, 'kubectl');
  for (const kind of ['CACHE', 'CONFIG', 'DATA']) process.env[`HELM_${kind}_HOME`] = path.join(folder, 'helm', kind);
  await startDns(node);
  await offerVolumes(path.join(folder, 'volumes'));
  const [program = '', ...parameters] = command;
  const child = spawn(program, parameters, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

async function startDns({ api }: Node): Promise<void> {
  await run('kubectl', ['apply', '--filename', path.join(import.meta.dirname, 'dns.yaml')]);
  await until('CoreDNS is ready', DNS_WITHIN_MS, async () => {
    const { body } = await api.get('/apis/apps/v1/namespaces/kube-system/deployments/coredns');
    return (body as { status?: { readyReplicas?: number } }).status?.readyReplicas === 1;
  });
}

/** Folders of this machine, as volumes of the default storage class. */
async function offerVolumes(folder: string): Promise<void> {
  const storage = {
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', provisioner: 'kubernetes.io/no-provisioner' },
    metadata: { name: 'node', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  };
  const volumes: object[] = [];
  for (let at = 0; at < VOLUMES; at += 1) {
    const directory = path.join(folder, String(at));
    await mkdir(directory, { recursive: true });
    await chmod(directory, 0o777);
    volumes.push({
      ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: `volume-${at}` } },
      spec: {
        ...{ capacity: { storage: '200Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'node' },
        ...{ persistentVolumeReclaimPolicy: 'Retain', hostPath: { path: directory, type: 'Directory' } },
      },
    });
  }
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [storage, ...volumes] });
  await run('sh', ['-c', 'printf %s "$1" | kubectl apply --filename -', 'sh', list]);
}
