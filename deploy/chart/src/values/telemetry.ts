import { cidrs, SCALAR, secretOfProgram } from './kinds.ts';
import { flag, group, integer, list, strings, text, type Value } from './value.ts';

const SCRAPING = {
  interval: text('How often.', '30s'),
  scrapeTimeout: text('How long one may take; default that of Prometheus.'),
  labels: strings('Labels by which Prometheus finds it.'),
  annotations: strings('Its annotations.'),
  namespace: text('Namespace it is made in; default that of the release.'),
  relabelings: list('Further relabelings of targets.'),
  metricRelabelings: list('Relabelings of what was scraped.'),
  sampleLimit: integer('Samples of a target at most; 0: no limit.', 0, 0),
} satisfies Record<string, Value>;

export const TELEMETRY = {
  telemetry: group('Where traces, metrics and logs go.', {
    otlpEndpoint: text('Base address of an OTLP/HTTP collector; empty: nowhere.'),
    traceRatio: text('Share of calls that are traced, 0 to 1.', '0.05'),
    kubernetesAttributes: flag(
      'Whether everything that is sent says the namespace, pod, node, container and Deployment it comes from.',
      false,
    ),
    variables: {
      description:
        'Variables of the specification of OpenTelemetry for every program; they win over the settings of this version, and none is a secret.',
      default: {},
      schema: {
        type: 'object',
        propertyNames: { pattern: '^OTEL_[A-Z0-9_]+$', not: { enum: ['OTEL_EXPORTER_OTLP_ENDPOINT'] } },
        additionalProperties: SCALAR,
      },
    },
    variablesSecret: text('Secret with more of them.'),
    headers: group('Headers of what is sent, such as a token.', {
      secretName: text('Secret that holds them as name=value pairs, separated by commas; empty: none.'),
      key: text('Its key in the Secret.', 'headers', { pattern: '^[-._a-zA-Z0-9]+$' }),
    }),
    tls: group('TLS towards the collector.', {
      secretName: secretOfProgram('Secret with ca.crt; {program} is replaced by the name of the program; empty: none.'),
      clientCertificate: flag(
        'Whether the Secret also holds tls.crt and tls.key, to be shown to the collector.',
        false,
      ),
    }),
    collector: group('The collector, for the network policies.', {
      namespaceSelector: strings('Labels of its namespace.'),
      podSelector: strings('Labels of its pods.'),
      cidrs: cidrs('Networks it is in, where it is outside the cluster or on each node.'),
      port: integer('Its port.', 4318, 1, 65_535),
    }),
  }),
  monitoring: group('For a Prometheus operator and Grafana.', {
    scrapeAnnotations: flag(
      'Whether pods carry prometheus.io annotations, for a Prometheus without its operator.',
      false,
    ),
    serviceMonitor: group('Scraping by Services.', {
      enabled: flag('Whether to make a ServiceMonitor.', false),
      ...SCRAPING,
    }),
    podMonitor: group('Scraping by pods, in place of serviceMonitor.', {
      enabled: flag('Whether to make a PodMonitor.', false),
      ...SCRAPING,
    }),
    rules: group('Alerts.', {
      enabled: flag('Whether to make a PrometheusRule.', false),
      labels: strings('Labels by which Prometheus finds it.'),
      runbookUrl: text('Base address of the runbooks; empty: alerts name none.'),
      exporters: group('Whose series Prometheus has too; each adds the alerts that need them.', {
        kubeStateMetrics: flag('kube-state-metrics: restarts, pods that are missing, an autoscaler at its end.', false),
        kubelet: flag('The kubelets of the nodes: room on volumes of databases in this namespace.', false),
        cloudnativepg: flag('Pods of CloudNativePG: standbys, age of backups, the archive.', false),
      }),
    }),
    dashboards: group('Grafana dashboards as ConfigMaps.', {
      enabled: flag('Whether to make them.', false),
      labels: strings('Labels by which the sidecar finds them.', { grafana_dashboard: '1' }),
    }),
  }),
} satisfies Record<string, Value>;
