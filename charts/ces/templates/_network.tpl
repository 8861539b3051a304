{{/* The way to who knows names. */}}
{{- define "ces.dnsEgress" -}}
{{- with .Values.networkPolicy.dns }}
- to:
    - namespaceSelector:
        matchLabels: {{- toYaml .namespaceSelector | nindent 10 }}
      podSelector:
        matchLabels: {{- toYaml .podSelector | nindent 10 }}
    {{- range .cidrs }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
  ports:
    {{- range .ports }}
    - { protocol: UDP, port: {{ . }} }
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end }}
{{- end }}

{{/* The way to the broker. */}}
{{- define "ces.natsEgress" -}}
- to:
    {{- range .Values.nats.cidrs }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- else }}
    - podSelector:
        matchLabels: {{- toYaml .Values.nats.podSelector | nindent 10 }}
      {{- with .Values.nats.namespaceSelector }}
      namespaceSelector:
        matchLabels: {{- toYaml . | nindent 10 }}
      {{- end }}
    {{- end }}
  ports: [{ protocol: TCP, port: {{ splitList ":" .Values.nats.url | last }} }]
{{- end }}

{{/* The way to the collector. Takes its values. */}}
{{- define "ces.collectorEgress" -}}
- to:
    {{- range .cidrs }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
    {{- if or .podSelector .namespaceSelector (not .cidrs) }}
    - podSelector: {{- if .podSelector }}
        matchLabels: {{- toYaml .podSelector | nindent 10 }}
      {{- else }} {}
      {{- end }}
      namespaceSelector: {{- if .namespaceSelector }}
        matchLabels: {{- toYaml .namespaceSelector | nindent 10 }}
      {{- else }} {}
      {{- end }}
    {{- end }}
  ports: [{ protocol: TCP, port: {{ .port }} }]
{{- end }}

{{/* The same, where anything is sent there. */}}
{{- define "ces.telemetryEgress" -}}
{{- $names := list }}
{{- range prepend (values .Values.components) .Values.defaults }}{{ range .extraEnv }}{{ $names = append $names .name }}{{ end }}{{ end }}
{{- if or .Values.telemetry.otlpEndpoint (regexMatch "\\bOTEL_\\w+_ENDPOINT\\b" (join " " $names)) }}
{{- include "ces.collectorEgress" .Values.telemetry.collector }}
{{- end }}
{{- end }}

{{/* The way to the API of the cluster, where programs ask it for the keys of tokens. */}}
{{- define "ces.apiServerEgress" -}}
{{- with .Values.rpc.serviceAccountTokens.apiServer }}
{{- if .enabled }}
- to:
    {{- range .cidrs }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
  ports: [{ protocol: TCP, port: {{ .port }} }]
{{- end }}
{{- end }}
{{- end }}

{{/* The way to the database of one component. Takes root and name. */}}
{{- define "ces.postgresEgress" -}}
{{- $postgres := .root.Values.postgres }}
- to:
    {{- if $postgres.cloudnativepg.enabled }}
    - podSelector:
        matchLabels: { cnpg.io/cluster: {{ include "ces.fullname" .root }}-{{ .name }} }
    {{- else }}
    {{- range $postgres.cidrs }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
    {{- if or $postgres.podSelector $postgres.namespaceSelector (not $postgres.cidrs) }}
    - podSelector: {{- if $postgres.podSelector }}
        matchLabels: {{- toYaml $postgres.podSelector | nindent 10 }}
      {{- else }} {}
      {{- end }}
      {{- with $postgres.namespaceSelector }}
      namespaceSelector:
        matchLabels: {{- toYaml . | nindent 10 }}
      {{- end }}
    {{- end }}
    {{- end }}
  ports: [{ protocol: TCP, port: {{ $postgres.cloudnativepg.enabled | ternary 5432 $postgres.port }} }]
{{- end }}

{{/*
The way to the planner, embedding or reranking endpoint that the settings of search name, and to nothing else: a policy knows networks and
pods, no names, so the host must be an address, or the values must say where it is.
*/}}
{{- define "ces.endpointEgress" -}}
{{- $place := .Values.networkPolicy.searchEgress }}
{{- $values := include "ces.values" (dict "root" . "name" "search") | fromJson }}
{{- $given := include "ces.settings" (dict "root" . "values" $values) | fromJson }}
{{- range $setting := list "CES_SEARCH_PLANNER_URL" "CES_SEARCH_EMBEDDING_URL" "CES_SEARCH_RERANK_URL" }}
{{- with get $given $setting }}
{{- $url := urlParse . }}
{{- $host := $url.hostname }}
{{- $port := regexFind "[0-9]+$" (trimPrefix $host $url.host) | default (eq $url.scheme "http" | ternary "80" "443") }}
- to:
    {{- if regexMatch "^[0-9]+(\\.[0-9]+){3}$" $host }}
    - ipBlock: { cidr: "{{ $host }}/32" }
    {{- else if contains ":" $host }}
    - ipBlock: { cidr: "{{ $host }}/128" }
    {{- else if or $place.cidrs $place.peers }}
    {{- range $place.cidrs }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
    {{- with $place.peers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- else }}
    {{- fail (printf "%s names %s, which search cannot reach: say in networkPolicy.searchEgress.cidrs or .peers where it is" $setting $host) }}
    {{- end }}
  ports: [{ protocol: TCP, port: {{ $place.port | default $port }} }]
{{- end }}
{{- end }}
{{- end }}
