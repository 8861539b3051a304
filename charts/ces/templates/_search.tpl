{{/* What the chart knows of the engine of search, by setting; JSON. Takes root and engine. */}}
{{- define "ces.searchSettings" -}}
{{- $known := dict "CES_SEARCH_ENGINE" .engine }}
{{- if eq .engine "opensearch" }}
{{- $_ := set $known "CES_SEARCH_OPENSEARCH_URL" (join "," .root.Values.search.opensearch.urls) }}
{{- else }}
{{- $_ := set $known "CES_SEARCH_INDEX_DIR" (include "ces.indexFolder" .) }}
{{- end }}
{{- toJson $known }}
{{- end }}

{{- define "ces.indexFolder" -}}/var/lib/ces/index{{- end }}

{{/* Where search keeps the file of its memory index: "true" for pods that have one. Takes component and engine. */}}
{{- define "ces.hasIndexFolder" -}}
{{- and (eq .component.name "search") (ne .engine "opensearch") }}
{{- end }}

{{/* The way to OpenSearch for pods that run with it. Takes root and engine. */}}
{{- define "ces.openSearchEgress" -}}
{{- if eq .engine "opensearch" }}
{{- with .root.Values.search.opensearch }}
{{- if not (or .cidrs .podSelector .namespaceSelector) }}{{ fail (printf "search.opensearch.urls names %s, which search cannot reach: say in search.opensearch.podSelector, .namespaceSelector or .cidrs where it is" (first .urls)) }}{{ end }}
{{- $ports := list }}
{{- range .urls }}
{{- $url := urlParse . }}
{{- $ports = append $ports (regexFind "[0-9]+$" (trimPrefix $url.hostname $url.host) | default "443") }}
{{- end }}
{{- if .port }}{{ $ports = list .port }}{{ end }}
- to:
    {{- range .cidrs }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
    {{- if or .podSelector .namespaceSelector }}
    - podSelector: {{- if .podSelector }}
        matchLabels: {{- toYaml .podSelector | nindent 10 }}
      {{- else }} {}
      {{- end }}
      {{- with .namespaceSelector }}
      namespaceSelector:
        matchLabels: {{- toYaml . | nindent 10 }}
      {{- end }}
    {{- end }}
  ports:
    {{- range uniq $ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "ces.checkSearch" -}}
{{- with .Values.search }}
{{- if eq .engine .fill }}{{ fail (printf "search.fill is %s, which answers searches and fills itself: name the other engine, or none" .fill) }}{{ end }}
{{- end }}
{{- end }}

{{/* What the Deployment that fills the other engine is called, with the rest of the release before it. */}}
{{- define "ces.fillName" -}}search-fill{{- end }}

{{/* Its values: those of search, but one pod, which answers no search. JSON. Takes root. */}}
{{- define "ces.fillValues" -}}
{{- $values := include "ces.values" (dict "root" .root "name" "search") | fromJson }}
{{- $_ := set $values "settings" (merge (dict "CES_SEARCH_MEMORY_INDEX_MIB" "0") $values.settings) }}
{{- $_ := set $values "autoscaling" (dict "enabled" false) }}
{{- $_ := set $values "strategy" (dict "type" "Recreate") }}
{{- $_ := set $values "replicaCount" 1 }}
{{- toJson $values }}
{{- end }}
