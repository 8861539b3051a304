import { SCALAR, secretOfProgram } from './kinds.ts';
import { flag, group, integer, strings, text, type Value } from './value.ts';

export const TELEMETRY = {
  telemetry: group('Where traces, metrics and logs go.', {
    otlpEndpoint: text('Base address of an OTLP/HTTP collector; empty: nowhere.'),
    traceRatio: text('Share of calls that are traced, 0 to 1.', '0.05'),
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
    variablesSecret: text('Secret with more of them, such as OTEL_EXPORTER_OTLP_HEADERS.'),
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
      port: integer('Its port.', 4318, 1, 65_535),
    }),
  }),
  monitoring: group('For a Prometheus operator and Grafana.', {
    serviceMonitor: group('Scraping.', {
      enabled: flag('Whether to make a ServiceMonitor.', false),
      interval: text('How often.', '30s'),
      labels: strings('Labels by which Prometheus finds it.'),
    }),
    rules: group('Alerts.', {
      enabled: flag('Whether to make a PrometheusRule.', false),
      labels: strings('Labels by which Prometheus finds it.'),
      runbookUrl: text('Base address of the runbooks.'),
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
