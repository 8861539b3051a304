import path from 'node:path';
import type { Component } from '../components.ts';
import { componentOf, type Pod, podOf } from './pods.ts';
import type { Manifest } from './render.ts';

interface ServiceSpec {
  readonly clusterIP?: string;
  readonly publishNotReadyAddresses?: boolean;
  readonly ports: readonly { readonly port: number; readonly targetPort: number | string }[];
}

interface Program {
  readonly name: Component['name'];
  readonly setting: (name: string) => string;
  readonly ports: NonNullable<Pod['containers'][number]['ports']>;
  readonly files: ReadonlySet<string>;
}

/** Callers reach all ready pods of callees, and every file that a setting names is mounted. */
export function wrongAddresses(manifests: readonly Manifest[], components: readonly Component[]): string[] {
  const programs = new Map(components.map(({ name }) => [name, programOf(name, manifests)]));
  const get = (name: Component['name']) => programs.get(name) ?? programOf(name, manifests);
  return components.flatMap(({ name, calls, portSetting }) => [
    ...calls.flatMap((peer) => wrongCalls(get(name), get(peer), manifests)),
    ...wrongPorts(get(name), portSetting, manifests),
    ...missingFiles(get(name)),
  ]);
}

function wrongCalls(caller: Program, peer: Program, manifests: readonly Manifest[]): string[] {
  const url = new URL(caller.setting(`CES_${peer.name.toUpperCase()}_URL`));
  const edge = `${caller.name} > ${peer.name}`;
  const service = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === url.hostname);
  if (!service || componentOf(service) !== peer.name) return [`${edge}: ${url.hostname} is no Service of it`];
  const { clusterIP, publishNotReadyAddresses, ports } = service.spec as unknown as ServiceSpec;
  const port = Number(url.port);
  const isServed = peer.ports.some(({ name, containerPort }) => name === 'grpc' && containerPort === port);
  const encrypts = url.protocol === 'https:';
  const trusts = caller.setting('CES_RPC_TLS_CA_FILE') !== '';
  const shows = peer.setting('CES_RPC_TLS_CERT_FILE') !== '';
  return [
    ...(clusterIP === 'None' ? [] : [`${edge}: one address stands for all pods`]),
    ...(publishNotReadyAddresses ? [`${edge}: pods are called that are not ready`] : []),
    ...(isServed && ports.some((one) => one.targetPort === port) ? [] : [`${edge}: nothing serves port ${url.port}`]),
    ...(encrypts === trusts && encrypts === shows ? [] : [`${edge}: one encrypts and the other does not`]),
  ];
}

function wrongPorts({ name, setting, ports }: Program, portSetting: string, manifests: readonly Manifest[]): string[] {
  const names = new Set<number | string>(ports.flatMap((one) => [one.name, one.containerPort]));
  const wanted = manifests
    .filter((one) => one.kind === 'Service' && componentOf(one) === name)
    .flatMap(({ spec }) => (spec as unknown as ServiceSpec).ports.map(({ targetPort }) => targetPort));
  const listening = [portSetting, `CES_${name.toUpperCase()}_ADMIN_PORT`]
    .map((one) => Number(setting(one)))
    .filter((port) => port > 0);
  return [
    ...wanted.filter((port) => !names.has(port)).map((port) => `a Service wants port ${port} of ${name}`),
    ...ports
      .filter(({ containerPort }) => !listening.includes(containerPort))
      .map((port) => `${name} does not listen on ${port.name}`),
    ...listening.filter((port) => !names.has(port)).map((port) => `${name} listens on ${port}, which has no name`),
  ];
}

function missingFiles({ name, setting, files }: Program): string[] {
  const of = (prefix: string, kinds: readonly string[]) => kinds.map((kind) => setting(`${prefix}_${kind}_FILE`));
  const named = [
    ...of('CES_RPC_TLS', ['CERT', 'KEY', 'CA']),
    ...of('CES_SEARCH_OPENSEARCH', ['CA']),
    ...of('CES_NATS', ['CREDS', 'NKEY', 'PASSWORD', 'TOKEN', 'CERT', 'KEY', 'CA']),
  ];
  return named.filter((file) => file !== '' && !files.has(file)).map((file) => `${name} has no file ${file}`);
}

function programOf(name: Component['name'], manifests: readonly Manifest[]): Program {
  const pod = podOf(name, manifests);
  const { env = [], ports = [], volumeMounts = [] } = pod?.containers[0] ?? {};
  const files = (pod?.volumes ?? []).flatMap((volume) => {
    const mount = volumeMounts.find((one) => one.name === volume.name && one.readOnly);
    return mount ? (volume.secret?.items ?? []).map((item) => path.join(mount.mountPath, item.path)) : [];
  });
  return {
    name,
    ports,
    files: new Set(files),
    setting: (wanted) => env.find((one) => one.name === wanted)?.value ?? '',
  };
}
