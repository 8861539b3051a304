import { type Manifest, readManifests, render } from './render.ts';

interface Rule {
  readonly to?: readonly {
    readonly namespaceSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly podSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly ipBlock?: { readonly cidr: string };
  }[];
  readonly ports?: readonly { readonly protocol: string; readonly port: number }[];
}

const CLUSTER = 'postgres.cloudnativepg.enabled=true';
const DNS = 'networkPolicy.dns';
const OPENSHIFT = [
  `${DNS}.namespaceSelector.kubernetes\\.io/metadata\\.name=openshift-dns`,
  `${DNS}.podSelector.k8s-app=null`,
  `${DNS}.podSelector.dns\\.operator\\.openshift\\.io/daemonset-dns=default`,
  `${DNS}.ports={5353}`,
];

/** What a first installation, a drain and Argo CD need of the manifests; every fault in one sentence. */
export async function installationFaults(kubernetes: string): Promise<string[]> {
  const of = async (...values: readonly string[]) =>
    readManifests(await render('minimal.yaml', kubernetes, ...values.flatMap((value) => ['--set', value])));
  return [
    ...namelessMigrations('with a server of its own', await of(), 'kube-dns at kube-system:53'),
    ...namelessMigrations('with CloudNativePG', await of(CLUSTER), 'kube-dns at kube-system:53'),
    ...namelessMigrations('on OpenShift', await of(...OPENSHIFT), 'default at openshift-dns:5353'),
    ...namelessMigrations(
      'with a cache on each node',
      await of(`${DNS}.cidrs={169.254.20.10/32}`),
      '169.254.20.10/32:53',
    ),
    ...undrainable('one pod that must be there', await of('defaults.replicas=1', 'defaults.minAvailable=1')),
    ...undrainable('two pods that must both be there', await of('defaults.replicas=2', 'defaults.minAvailable=2')),
    ...unmoved(await of('components.gateway.settings.CES_PORT=8443')),
    ...immovable(await of(CLUSTER)),
  ];
}

/** A database has a name before it has an address: whoever reaches it must reach who knows names, at its first start too. */
function namelessMigrations(what: string, manifests: readonly Manifest[], resolver: string): string[] {
  const policies = manifests.filter(
    ({ kind, metadata }) => kind === 'NetworkPolicy' && /-(migrate-|dns$)/.test(metadata.name),
  );
  return policies.flatMap(({ metadata, spec }) => {
    const ways = ((spec?.egress ?? []) as readonly Rule[]).flatMap(resolversOf);
    const wanted = ['UDP', 'TCP'].map((protocol) => `${resolver} ${protocol}`);
    return wanted.filter((way) => !ways.includes(way)).map((way) => `${what} ${metadata.name} does not reach ${way}`);
  });
}

function resolversOf({ to = [], ports = [] }: Rule): string[] {
  return to.flatMap(({ ipBlock, podSelector, namespaceSelector }) => {
    const [pods = ''] = Object.values(podSelector?.matchLabels ?? {});
    const [namespace = ''] = Object.values(namespaceSelector?.matchLabels ?? {});
    return ports.map(({ protocol, port }) => `${ipBlock?.cidr ?? `${pods} at ${namespace}`}:${port} ${protocol}`);
  });
}

/** A budget lets at least one pod of its program be evicted. */
function undrainable(what: string, manifests: readonly Manifest[]): string[] {
  const replicas = new Map(
    manifests.filter(({ kind }) => kind === 'Deployment').map(({ metadata, spec }) => [metadata.name, spec?.replicas]),
  );
  return manifests
    .filter(({ kind }) => kind === 'PodDisruptionBudget')
    .filter(({ metadata, spec }) => Number(spec?.minAvailable ?? 0) >= Number(replicas.get(metadata.name)))
    .map(({ metadata }) => `${what}: the budget of ${metadata.name} lets no node be drained`);
}

/** Where the gateway listens elsewhere, its pods, its Service and those who reach it say so. */
function unmoved(manifests: readonly Manifest[]): string[] {
  const text = JSON.stringify(
    manifests.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'gateway'),
  );
  return [
    ...(text.includes('"containerPort":8443') ? [] : ['CES_PORT moves the gateway, and its pod does not say so']),
    ...(text.includes('8080') ? ['CES_PORT moves the gateway, and something still names its former port'] : []),
  ];
}

/** A Job cannot be changed: Argo CD, under which every release is the first, must make it anew. */
function immovable(manifests: readonly Manifest[]): string[] {
  return manifests
    .filter(({ kind }) => kind === 'Job')
    .filter(({ metadata }) => {
      const notes = metadata.annotations ?? {};
      const isHook = notes['helm.sh/hook'] ?? notes['argocd.argoproj.io/hook'];
      const policy = notes['helm.sh/hook-delete-policy'] ?? notes['argocd.argoproj.io/hook-delete-policy'] ?? '';
      return !isHook || !/before-?hook-?creation/i.test(policy);
    })
    .map(({ metadata }) => `${metadata.name} is changed in place by Argo CD, which no Job can be`);
}
