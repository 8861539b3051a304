import type { Component } from '../components.ts';
import { wrongAddresses } from './addresses.ts';
import { difference, type Peer, type Pod, type Policy, podIn, podOf, selectedBy } from './pods.ts';
import { type Manifest, RELEASE } from './render.ts';

/** The whole Internet by address family, and the network of the cloud metadata service in it. */
const METADATA_OF_INTERNET: Readonly<Record<string, string>> = { '0.0.0.0/0': '169.254.0.0/16', '::/0': 'fc00::/7' };

export function findFaults(manifests: readonly Manifest[], components: readonly Component[]): string[] {
  return [
    ...secretsIn(manifests),
    ...unrestricted(manifests),
    ...edgesOtherThan(manifests, components),
    ...settingsOtherThan(manifests, components),
    ...foreignSecrets(manifests, components),
    ...wrongAddresses(manifests, components),
  ];
}

function secretsIn(manifests: readonly Manifest[]): string[] {
  return manifests
    .filter(({ kind }) => kind === 'Secret')
    .map(({ metadata }) => `a Secret is rendered: ${metadata.name}`);
}

/** Checks the restricted Pod Security Standard, a read-only root file system and no API token. */
function unrestricted(manifests: readonly Manifest[]): string[] {
  return podsOf(manifests).flatMap(({ owner, pod }) => {
    const faults: string[] = [];
    const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext ?? {};
    if (runAsNonRoot !== true || runAsUser === 0) faults.push(`${owner} may run as root`);
    if ((seccompProfile as { type?: string })?.type !== 'RuntimeDefault')
      faults.push(`${owner} has no seccomp profile`);
    if (pod.automountServiceAccountToken !== false) faults.push(`${owner} gets a token of the cluster`);
    for (const { name, securityContext = {} } of pod.containers) {
      const dropped = (securityContext.capabilities as { drop?: string[] })?.drop ?? [];
      if (securityContext.allowPrivilegeEscalation !== false) faults.push(`${owner}/${name} may escalate`);
      if (securityContext.readOnlyRootFilesystem !== true) faults.push(`${owner}/${name} may write to its root`);
      if (!dropped.includes('ALL')) faults.push(`${owner}/${name} keeps capabilities`);
    }
    return faults;
  });
}

/** Both ends open exactly the architecture's edges. Only one program reaches the Internet. */
function edgesOtherThan(manifests: readonly Manifest[], components: readonly Component[]): string[] {
  const wanted = new Set(
    components.flatMap(({ name, calls }) =>
      calls.flatMap((peer) => callPortsOf(peer, manifests).map((port) => `${name} > ${peer}:${port}`)),
    ),
  );
  const names = new Set<string>(components.map(({ name }) => name));
  const policies = manifests
    .filter(({ kind, metadata }) => kind === 'NetworkPolicy' && !isForTest(metadata))
    .map(({ spec }) => spec as unknown as Policy);
  const out = new Set<string>();
  const into = new Set<string>();
  const online = new Set<string>();
  for (const { podSelector, ingress = [], egress = [] } of policies) {
    if (podSelector.matchLabels?.['cnpg.io/cluster']) continue;
    const owner = selectedBy(podSelector) ?? '';
    for (const { peer, port } of egress.flatMap(({ to, ports }) => eachOf(to, ports))) {
      const target = selectedBy(peer.podSelector) ?? '';
      if (names.has(target)) out.add(`${owner} > ${target}:${port}`);
      const metadata = peer.ipBlock && METADATA_OF_INTERNET[peer.ipBlock.cidr];
      if (metadata) online.add(owner);
      if (metadata && !peer.ipBlock?.except?.includes(metadata)) into.add(`${owner} reaches the metadata service`);
    }
    for (const { peer, port } of ingress.flatMap(({ from, ports }) => eachOf(from, ports))) {
      const source = selectedBy(peer.podSelector) ?? '';
      if (names.has(source)) into.add(`${source} > ${owner}:${port}`);
    }
  }
  const denied = policies.some(
    ({ podSelector, policyTypes, ingress, egress }) =>
      !selectedBy(podSelector) && policyTypes.length === 2 && !ingress && !egress,
  );
  return [
    ...(denied ? [] : ['nothing is denied by default']),
    ...difference(wanted, out).map((edge) => `${edge} is closed where it leaves`),
    ...difference(wanted, into).map((edge) => `${edge} is closed where it arrives`),
    ...difference(out, wanted).map((edge) => `${edge} is open where it leaves, and is no edge`),
    ...difference(into, wanted).map((edge) => `${edge} is open where it arrives, and is no edge`),
    ...difference(online, ['acquisition']).map((name) => `${name} reaches the Internet`),
    ...difference(['acquisition'], online).map((name) => `${name} does not reach the Internet`),
  ];
}

function isForTest({ annotations = {} }: Manifest['metadata']): boolean {
  return annotations['helm.sh/hook'] === 'test';
}

function eachOf(peers: readonly Peer[] = [], ports: readonly { readonly port: number }[] = []) {
  return peers.flatMap((peer) => ports.map(({ port }) => ({ peer, port })));
}

function callPortsOf(name: string, manifests: readonly Manifest[]): number[] {
  const ports = podOf(name, manifests)?.containers[0]?.ports ?? [];
  return ports.filter((port) => port.name !== 'admin').map(({ containerPort }) => containerPort);
}

/** Credentials for third-party servers, which come from the Secrets of those servers. */
const OF_ANOTHER_SECRET: ReadonlySet<string> = new Set([
  'PGPASSWORD',
  'CES_SEARCH_OPENSEARCH_USER',
  'CES_SEARCH_OPENSEARCH_PASSWORD',
]);

/** Each program has its secrets in one Secret, which no other program reads. */
function foreignSecrets(manifests: readonly Manifest[], components: readonly Component[]): string[] {
  const owners = new Map<string, string>();
  return components.flatMap(({ name }) => {
    const pod = podOf(name, manifests);
    const variables = (pod?.containers[0]?.env ?? []).flatMap(({ name: variable, valueFrom }) => {
      if (OF_ANOTHER_SECRET.has(variable)) return [];
      return valueFrom?.secretKeyRef?.name ?? [];
    });
    const tokens = pod?.volumes?.find((volume) => volume.name === 'rpc-tokens')?.secret?.secretName;
    const [secret, ...more] = new Set([...variables, ...(tokens === undefined ? [] : [tokens])]);
    const before = secret === undefined ? undefined : owners.get(secret);
    if (secret !== undefined) owners.set(secret, name);
    return [
      ...(tokens === undefined ? [`${name} is given no tokens as files`] : []),
      ...more.map((other) => `${name} has secrets of ${other} beside those of ${secret}`),
      ...(before === undefined ? [] : [`${name} and ${before} share the Secret ${secret}`]),
    ];
  });
}

/** Exactly the settings of `ces config`, with no secret as a plain value. */
function settingsOtherThan(manifests: readonly Manifest[], components: readonly Component[]): string[] {
  return components.flatMap(({ name, settings }) => {
    const pod = podOf(name, manifests);
    if (!pod) return [`${name} has no Deployment`];
    const env = pod.containers[0]?.env ?? [];
    const given = new Set(env.map((one) => one.name));
    const known = new Set(settings.map((setting) => setting.name));
    const secret = new Set(settings.filter((setting) => setting.secret).map((setting) => setting.name));
    return [
      ...difference(known, given).map((setting) => `${name} is not given ${setting}`),
      ...difference(given, known)
        .filter((setting) => !setting.startsWith('OTEL_') && setting !== 'PGPASSWORD')
        .map((setting) => `${name} is given ${setting}, which it does not have`),
      ...env
        .filter((one) => secret.has(one.name) && one.value !== undefined && !isAddressAlone(one.value))
        .map((one) => `${one.name} is a plain value`),
    ];
  });
}

/** A database URL without a password is no secret; the password comes in its own variable. */
function isAddressAlone(value: string): boolean {
  return URL.parse(value)?.protocol === 'postgres:' && URL.parse(value)?.password === '';
}

function podsOf(manifests: readonly Manifest[]): { readonly owner: string; readonly pod: Pod }[] {
  return manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job' || kind === 'Pod')
    .map((one) => ({ owner: one.metadata.name.replace(`${RELEASE}-`, ''), pod: podIn(one) }));
}
