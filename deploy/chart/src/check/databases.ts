import { clusterSecretFiles, generateSecrets, kubernetesSecrets } from '../secrets/secrets.ts';
import { type Manifest, RELEASE, readManifests, render } from './render.ts';

const PREFIX = `${RELEASE}-ces`;
const CLUSTERS = 'postgres.cloudnativepg';
const BACKUP = [`${CLUSTERS}.backup.enabled=true`, `${CLUSTERS}.backup.destinationPath=s3://books/ces`];
/** Values that the chart must refuse, and what the message must say. */
const REFUSED: readonly (readonly [readonly string[], RegExp])[] = [
  [
    ['components.search.settings.CES_SEARCH_DATABASE_POOL=60'],
    /search can open 193 connections .* its server takes 97 .* raise .*maxConnections to/,
  ],
  [
    ['components.ledger.autoscaling.enabled=true', 'components.ledger.autoscaling.maxReplicas=20'],
    /ledger can open 309 connections \(20 pods/,
  ],
  [
    [`${CLUSTERS}.pooler.enabled=true`, `${CLUSTERS}.pooler.poolSize=40`],
    /the pooler of the database can open 121 connections/,
  ],
  [[`${CLUSTERS}.instances=1`], /1 instances, and 1 of them are to confirm/],
  [[`${CLUSTERS}.parameters.max_connections=500`], /set .*maxConnections/],
  [[`${CLUSTERS}.backup.enabled=true`], /destinationPath says not where/],
  [[`${CLUSTERS}.services.gateway.instances=3`], /services|gateway/],
  [['components.ledger.existingOwnerSecret=books'], /draws the password of the owner itself/],
  [
    ['components.ledger.replicaCount=4', 'components.ledger.strategy.rollingUpdate.maxSurge=50%'],
    /ledger can open 113 connections \(4 pods and 4 more/,
  ],
];
const REFUSED_OUTSIDE: readonly (readonly [readonly string[], RegExp])[] = [
  [['defaults.replicaCount=3', 'postgres.maxConnections=300'], /can open 327 connections .* takes 297 .* to 330/],
  [['postgres.maxConnectionsOf.ledger=40'], /ledger can open 43 connections .* its server takes 37/],
];
const TAKEN_OUTSIDE = ['postgres.maxConnections=240', 'postgres.maxConnectionsOf.ledger=50'];

export async function databaseFaults(kubernetes: string): Promise<string[]> {
  const on = ['postgres.cloudnativepg.enabled=true'];
  const of = async (...values: readonly string[]) =>
    readManifests(await render('minimal.yaml', kubernetes, ...values.flatMap((value) => ['--set', value])));
  const manifests = await of(...on, ...BACKUP);
  return [
    ...lostWithRelease(manifests),
    ...takenByOperator(await of(...on, 'defaults.replicaCount=2', 'defaults.podDisruptionBudget.minAvailable=1')),
    ...unwritten(await of(...on)),
    ...open(manifests),
    ...unsaved(manifests),
    ...passedBy(await of(...on, `${CLUSTERS}.pooler.enabled=true`)),
    ...(await accepted(
      REFUSED.map(([values, sentence]) => [[...on, ...values], sentence]),
      of,
    )),
    ...(await accepted(REFUSED_OUTSIDE, of)),
    ...(await of(...TAKEN_OUTSIDE).then(
      () => [],
      (error: Error) => [`connections that fit are refused: ${error.message}`],
    )),
  ];
}

function clustersOf(manifests: readonly Manifest[]): readonly Manifest[] {
  return manifests.filter(({ kind }) => kind === 'Cluster');
}

function lostWithRelease(manifests: readonly Manifest[]): string[] {
  return manifests
    .filter(({ kind }) => ['Cluster', 'ObjectStore', 'ScheduledBackup'].includes(kind))
    .filter(({ metadata: { annotations = {} } }) => {
      const argo = annotations['argocd.argoproj.io/sync-options'] ?? '';
      return (
        annotations['helm.sh/resource-policy'] !== 'keep' || !/Delete=false/.test(argo) || !/Prune=false/.test(argo)
      );
    })
    .map(({ kind, metadata }) => `${kind} ${metadata.name} goes with the release`);
}

/**
 * Suffixes of the objects that CloudNativePG makes for a cluster. It would adopt an object of the
 * chart with such a name.
 */
const OF_OPERATOR: Readonly<Record<string, readonly string[]>> = {
  PodDisruptionBudget: ['', '-primary'],
  PodMonitor: [''],
  Role: [''],
  RoleBinding: [''],
  Secret: ['-app', '-ca', '-replication', '-server', '-superuser'],
  Service: ['-r', '-ro', '-rw'],
  ServiceAccount: [''],
};

function takenByOperator(manifests: readonly Manifest[]): string[] {
  const clusters = clustersOf(manifests).map(({ metadata }) => metadata.name);
  return manifests
    .filter(({ kind, metadata }) =>
      clusters.some((cluster) => OF_OPERATOR[kind]?.some((behind) => `${cluster}${behind}` === metadata.name)),
    )
    .map(({ kind, metadata }) => `${kind} ${metadata.name} has a name that CloudNativePG gives`);
}

/** Checks that the secrets command or CloudNativePG writes every Secret that a manifest reads. */
function unwritten(manifests: readonly Manifest[]): string[] {
  const drawn = kubernetesSecrets(clusterSecretFiles(generateSecrets(), 'alice'), PREFIX).items;
  const keys = new Map(drawn.map(({ metadata, stringData }) => [metadata.name, new Set(Object.keys(stringData))]));
  for (const { metadata } of clustersOf(manifests)) keys.set(`${metadata.name}-app`, new Set(['uri']));
  const needed = new Map<string, string>();
  const read = JSON.stringify(manifests);
  for (const [, reference = ''] of read.matchAll(/"secretKeyRef":(\{[^}]*\})/g)) {
    const { name, key, optional } = JSON.parse(reference) as { name: string; key: string; optional?: boolean };
    if (!optional) needed.set(`${name} ${key}`, name);
  }
  for (const [, name = ''] of read.matchAll(/"(?:passwordSecret|secret)":\{"name":"([^"]*)"\}/g))
    for (const key of ['username', 'password']) needed.set(`${name} ${key}`, name);
  return [...needed]
    .filter(([both, name]) => !keys.get(name)?.has(both.slice(name.length + 1)))
    .map(([both]) => `nobody writes the Secret and key ${both}`);
}

interface Rule {
  readonly from?: readonly { readonly podSelector?: { readonly matchLabels?: Readonly<Record<string, string>> } }[];
  readonly ports?: readonly { readonly port: number }[];
}

/**
 * Only its own service, its migration, the cluster's pods, the operator and scrapes may reach a
 * database's pods.
 */
function open(manifests: readonly Manifest[]): string[] {
  return clustersOf(manifests).flatMap(({ metadata: { name } }) => {
    const service = name.replace(`${PREFIX}-`, '');
    const policy = manifests.find(({ kind, spec }) => {
      const { matchLabels } = (spec?.podSelector ?? {}) as { matchLabels?: Record<string, string> };
      return kind === 'NetworkPolicy' && matchLabels?.['cnpg.io/cluster'] === name;
    });
    if (!policy) return [`every pod reaches the database of ${service}`];
    const callers = ((policy.spec?.ingress ?? []) as readonly Rule[])
      .filter(({ ports = [] }) => ports.some(({ port }) => port === 5432))
      .flatMap(({ from = [] }) =>
        from.flatMap(({ podSelector }) => Object.values(podSelector?.matchLabels ?? {}).at(-1) ?? []),
      );
    const wanted = [service, `migrate-${service}`, name];
    return callers.join() === wanted.join() ? [] : [`the database of ${service} is reached by ${callers.join(', ')}`];
  });
}

function unsaved(manifests: readonly Manifest[]): string[] {
  return clustersOf(manifests).flatMap(({ metadata: { name }, spec }) => {
    const plugins = JSON.stringify(spec?.plugins ?? []);
    const isThere = (kind: string) => manifests.some((one) => one.kind === kind && one.metadata.name === name);
    return [
      ...(plugins.includes('"isWALArchiver":true') && plugins.includes(name) ? [] : [`${name} archives nothing`]),
      ...['ObjectStore', 'ScheduledBackup'].filter((kind) => !isThere(kind)).map((kind) => `${name} has no ${kind}`),
    ];
  });
}

/** Programs connect through the pooler; migrations connect to the server. */
function passedBy(manifests: readonly Manifest[]): string[] {
  return clustersOf(manifests).flatMap(({ metadata: { name } }) => {
    const [, text = ''] =
      /"CES_[A-Z]+_DATABASE_URL","value":"([^"]*)"/.exec(
        JSON.stringify(manifests.find((one) => one.kind === 'Deployment' && one.metadata.name === name)),
      ) ?? [];
    const pooler = manifests.find((one) => one.kind === 'Pooler' && new URL(text).hostname === one.metadata.name);
    return pooler ? [] : [`${name} connects to ${text}, which is no pooler`];
  });
}

async function accepted(
  refusals: readonly (readonly [readonly string[], RegExp])[],
  of: (...values: readonly string[]) => Promise<unknown>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [values, sentence] of refusals) {
    const message = await of(...values).then(
      () => '',
      (error: Error) => error.message,
    );
    if (message === '') faults.push(`${values.join(' ')} is rendered`);
    else if (!sentence.test(message)) faults.push(`${values.join(' ')} is refused by other words: ${message}`);
  }
  return faults;
}
