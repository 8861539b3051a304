import { group, kubernetes, list, strings, text, type Value } from './value.ts';

const RESOURCE_DESCRIPTION = 'Requests and limits of its container';

/** Scheduling and security context of pods. Under `defaults` these apply to Jobs too. */
export const PLACEMENT = {
  nodeSelector: strings('Labels of the nodes that pods may run on.'),
  tolerations: list('Taints that pods tolerate.'),
  affinity: kubernetes('Affinity of pods to nodes and to other pods.'),
  priorityClassName: text('Priority class of pods.'),
  runtimeClassName: text('Runtime class of pods.'),
  schedulerName: text('Scheduler of pods.'),
  hostAliases: list('Lines for /etc/hosts of pods.'),
  dnsPolicy: text('DNS policy of pods.', '', {
    enum: ['', 'ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'],
  }),
  dnsConfig: kubernetes('DNS settings of pods, such as ndots.'),
  podSecurityContext: kubernetes(
    'Security context of pods; null takes a field away. OpenShift chooses the ids itself (global.compatibility).',
    {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      fsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
  ),
  securityContext: kubernetes('Security context of the container.', {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  }),
} satisfies Record<string, Value>;

export const EXTRAS = {
  podLabels: strings('Labels of pods beside those of the chart.'),
  podAnnotations: strings('Annotations of pods.'),
  extraEnv: list('Environment variables of the container, as Kubernetes takes them; they win over those of the chart.'),
  extraEnvFrom: list('ConfigMaps and Secrets whose keys become variables, as Kubernetes takes them.'),
  extraVolumes: list('Volumes of pods.'),
  extraVolumeMounts: list('Where the container sees them.'),
  initContainers: list('Containers that run before, as Kubernetes takes them.'),
  sidecars: list('Containers that run beside, as Kubernetes takes them.'),
} satisfies Record<string, Value>;

/** Values of pods that run no program. An empty value falls back to `defaults`. */
export const JOB_POD = {
  ...EXTRAS,
  nodeSelector: strings('Labels of the nodes that its pods may run on; empty: as defaults.'),
  tolerations: list('Taints that its pods tolerate; empty: as defaults.'),
  affinity: kubernetes('Affinity of its pods; empty: as defaults.'),
  priorityClassName: text('Priority class of its pods; empty: as defaults.'),
  serviceAccountName: text('Service account of its pods; empty: the default one of the namespace.'),
} satisfies Record<string, Value>;

export function resources(requests: object, limits: object) {
  return group(`${RESOURCE_DESCRIPTION}, as Kubernetes takes them.`, {
    requests: kubernetes('What is set aside.', requests),
    limits: kubernetes('What it may use at most; no CPU limit by default, since throttling costs latency.', limits),
  });
}
