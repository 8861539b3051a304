{{/*
Who reaches the servers of CloudNativePG, and its pooler: the service, its migration, the operator, each other, and who scrapes; and whom
they reach: each other, names, the API of the cluster, by which an instance says how it is, and backups. Takes root and name.
*/}}
{{- define "ces.databasePolicy" }}
{{- $cluster := include "ces.databaseName" . }}
{{- $database := include "ces.database" . | fromJson }}
{{- $policy := .root.Values.networkPolicy }}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ $cluster }}-postgres
  labels: {{- include "ces.labels" (dict "root" .root "component" (printf "postgres-%s" .name)) | nindent 4 }}
spec:
  podSelector:
    matchLabels: { cnpg.io/cluster: {{ $cluster }} }
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        {{- range list .name (printf "migrate-%s" .name) }}
        - podSelector:
            matchLabels: {{- include "ces.selector" (dict "root" $.root "component" .) | nindent 14 }}
        {{- end }}
        {{- with $policy.postgresFrom }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      ports: [{ protocol: TCP, port: 5432 }]
    - from:
        - podSelector:
            matchLabels: { cnpg.io/cluster: {{ $cluster }} }
        - namespaceSelector:
            matchLabels: { kubernetes.io/metadata.name: {{ $database.operatorNamespace | quote }} }
      ports: [{ protocol: TCP, port: 5432 }, { protocol: TCP, port: 8000 }]
    - from:
        - namespaceSelector:
            matchLabels: { kubernetes.io/metadata.name: {{ $policy.monitoringNamespace | quote }} }
      ports: [{ protocol: TCP, port: 9187 }, { protocol: TCP, port: 9127 }]
  egress:
    - to:
        - podSelector:
            matchLabels: { cnpg.io/cluster: {{ $cluster }} }
      ports: [{ protocol: TCP, port: 5432 }, { protocol: TCP, port: 8000 }]
    {{- include "ces.dnsEgress" .root | nindent 4 }}
    {{- with $policy.apiServer }}
    - ports:
        {{- range .ports }}
        - { protocol: TCP, port: {{ . }} }
        {{- end }}
      {{- with .cidrs }}
      to:
        {{- range . }}
        - ipBlock: { cidr: {{ . | quote }} }
        {{- end }}
      {{- end }}
    {{- end }}
    {{- with $database.backup }}
    {{- if .enabled }}
    - ports: [{ protocol: TCP, port: {{ .port }} }]
      {{- with .cidrs }}
      to:
        {{- range . }}
        - ipBlock: { cidr: {{ . | quote }} }
        {{- end }}
      {{- end }}
    {{- end }}
    {{- end }}
{{- end }}
