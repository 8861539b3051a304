import { settings } from './kinds.ts';
import { EXTRAS, PLACEMENT, resources } from './pod.ts';
import { flag, group, integer, kubernetes, list, oneOf, strings, text, type Value } from './value.ts';

const NAMED_METRIC = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'averageValue'],
  properties: {
    name: { type: 'string', description: 'The metric.', minLength: 1 },
    averageValue: { type: 'string', description: 'What a pod is to have of it.', minLength: 1 },
  },
};

/** Spreads the pods of a program over nodes and zones where the cluster has several. */
const SPREAD = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable: 'ScheduleAnyway',
}));

const KEDA = group('A ScaledObject of KEDA in place of the HorizontalPodAutoscaler; needs autoscaling.enabled.', {
  enabled: flag('Whether there is one.', false),
  pollingInterval: integer('How often triggers are asked, in seconds.', 15, 1),
  cooldownPeriod: integer('How long nothing must happen before it goes to zero pods, in seconds.', 300, 0),
  waitingJobs: group('A trigger on the jobs of operations that a worker could take now; for operations alone.', {
    source: oneOf(
      'Who counts them: the database itself, by the address in the Secret of operations, or Prometheus; empty: nobody.',
      ['', 'postgres', 'prometheus'],
      '',
    ),
    perReplica: integer('Jobs that a pod is to have waiting.', 20, 1),
    prometheusAddress: text('Address of Prometheus as KEDA reaches it, where it counts them.'),
  }),
  triggers: list('Triggers of your own, as KEDA takes them.'),
  fallback: kubernetes('Replicas while triggers cannot be asked, as KEDA takes it.'),
  annotations: strings('Annotations of the ScaledObject.'),
});

const AUTOSCALING = group('A HorizontalPodAutoscaler by CPU and by metrics of your own.', {
  enabled: flag('Whether there is one.', false),
  maxReplicas: integer('Pods at most; the least number is `replicas`.', 10, 1),
  cpuPercent: integer('CPU use aimed at, in percent of the request; 0: not by CPU.', 70, 0, 100),
  external: list(
    'External metrics that it reads too, from an adapter of the cluster: of operations, how many jobs wait, which is ces_jobs_waiting and the pending count of the consumer workers of the stream OPERATIONS.',
    NAMED_METRIC,
  ),
  metrics: list('Further metrics, as autoscaling/v2 takes them.'),
  behavior: kubernetes('How fast it goes up and down, as autoscaling/v2 takes it.'),
  keda: KEDA,
});

const SERVICE = group('Its Service for callers outside the release.', {
  type: oneOf(
    'Its type; other than ClusterIP it has no admin port.',
    ['ClusterIP', 'NodePort', 'LoadBalancer'],
    'ClusterIP',
  ),
  port: integer('Its port; 0: that of the program.', 0, 0, 65_535),
  nodePort: integer('Port on every node; 0: the cluster chooses one.', 0, 0, 65_535),
  annotations: strings('Annotations, such as those that a cloud makes its load balancer by.'),
  labels: strings('Labels beside those of the chart.'),
  loadBalancerClass: text('Class of the load balancer.'),
  loadBalancerSourceRanges: list('Networks that the load balancer lets in.', { type: 'string' }),
  externalTrafficPolicy: oneOf(
    'Whether nodes pass calls on to others; Local keeps the address of the caller.',
    ['', 'Cluster', 'Local'],
    '',
  ),
  ipFamilyPolicy: oneOf('IPv4, IPv6 or both.', ['', 'SingleStack', 'PreferDualStack', 'RequireDualStack'], ''),
  ipFamilies: list('Families in their order.', { type: 'string', enum: ['IPv4', 'IPv6'] }),
});

const SERVICE_ACCOUNT = group('Its service account; pods get no token of the cluster by it.', {
  create: flag('Whether the chart makes it.', true),
  name: text(
    'Its name; default <release>-<program>, with `-program` behind where CloudNativePG has its database, or `default` where the chart makes none.',
  ),
  annotations: strings('Annotations, such as those that a cloud gives rights by.'),
  labels: strings('Labels beside those of the chart.'),
});

export const PROGRAM = {
  replicas: integer('Pods; the least number where autoscaling is on.', 2, 0),
  minAvailable: integer(
    'Pods that a voluntary disruption must leave, but always one fewer than replicas, so that a node can be drained; 0 makes no budget.',
    1,
    0,
  ),
  resources: resources({ cpu: '100m', memory: '192Mi' }, { memory: '512Mi' }),
  autoscaling: AUTOSCALING,
  settings: settings('Settings by their names in `ces config`; never a secret.'),
  existingSecret: text('Secret with its secret settings under their names; default <release>-<program>.'),
  existingOwnerSecret: text(
    'Secret with CES_<PROGRAM>_OWNER_DATABASE_URL for migrations; default <release>-<program>-owner.',
  ),
  ...EXTRAS,
  deploymentAnnotations: strings('Annotations of the Deployment.'),
  ...PLACEMENT,
  topologySpreadConstraints: list(
    'How its pods are spread; without a labelSelector it is that of the program.',
    { type: 'object' },
    SPREAD,
  ),
  serviceAccount: SERVICE_ACCOUNT,
  service: SERVICE,
  strategy: kubernetes('How pods are replaced, as a Deployment takes it; empty: one more at a time, never one less.'),
  revisionHistoryLimit: integer('Revisions of the Deployment that are kept.', 5, 0),
  startupProbe: kubernetes('Fields of the startup probe that are other than the chart says.'),
  readinessProbe: kubernetes('Fields of the readiness probe that are other than the chart says.'),
  livenessProbe: kubernetes('Fields of the liveness probe that are other than the chart says.'),
} satisfies Record<string, Value>;
