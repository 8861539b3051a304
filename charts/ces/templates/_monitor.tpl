{{/* A ServiceMonitor or PodMonitor. Takes root, kind, endpoints (the field that lists them) and values. */}}
{{- define "ces.monitor" -}}
{{- $values := .values -}}
apiVersion: monitoring.coreos.com/v1
kind: {{ .kind }}
metadata:
  name: {{ include "ces.fullname" .root }}
  {{- with $values.namespace }}
  namespace: {{ . | quote }}
  {{- end }}
  labels: {{- include "ces.labels" (dict "root" .root "own" $values.labels) | nindent 4 }}
spec:
  {{- if $values.namespace }}
  namespaceSelector: { matchNames: [{{ .root.Release.Namespace | quote }}] }
  {{- end }}
  selector:
    matchLabels: {{- include "ces.selector" (dict "root" .root) | nindent 6 }}
  {{ .endpoints }}:
    - port: admin
      path: /metrics
      interval: {{ $values.interval }}
      {{- with $values.scrapeTimeout }}
      scrapeTimeout: {{ . }}
      {{- end }}
      relabelings:
        # Rules and dashboards ask for these, and for the namespace, which the operator gives every series.
        - { sourceLabels: [__meta_kubernetes_pod_label_app_kubernetes_io_component], targetLabel: service }
        - { sourceLabels: [__meta_kubernetes_pod_label_app_kubernetes_io_instance], targetLabel: release }
        {{- with $values.relabelings }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $values.metricRelabelings }}
      metricRelabelings: {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
