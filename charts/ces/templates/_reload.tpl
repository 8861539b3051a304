{{/* What replaces pods when their Secrets change. Each takes root, component (its name), values and engine (that of search), and gives annotations as JSON. */}}

{{- define "ces.secretNames" -}}
{{- $names := list (.values.existingSecret | default (printf "%s-%s" (include "ces.fullname" .root) .component)) }}
{{- if and .root.Values.postgres.cloudnativepg.enabled (include "ces.hasDatabase" (dict "root" .root "name" .component)) }}
{{- $names = append $names (printf "%s-postgres" (include "ces.databaseName" (dict "root" .root "name" .component))) }}
{{- end }}
{{- if and (eq .component "search") (eq .engine "opensearch") }}
{{- with .root.Values.search.opensearch.existingSecret }}{{ $names = append $names . }}{{ end }}
{{- end }}
{{- range .values.extraEnvFrom }}{{ with dig "secretRef" "name" "" . }}{{ $names = append $names . }}{{ end }}{{ end }}
{{- range .values.extraEnv }}{{ with dig "valueFrom" "secretKeyRef" "name" "" . }}{{ $names = append $names . }}{{ end }}{{ end }}
{{- uniq $names | toJson }}
{{- end }}

{{- define "ces.reloadAnnotations" -}}
{{- $annotations := dict }}
{{- if eq .root.Values.rollOnSecretChange "reloader" }}
{{- $_ := set $annotations "secret.reloader.stakater.com/reload" (include "ces.secretNames" . | fromJsonArray | join ",") }}
{{- end }}
{{- toJson $annotations }}
{{- end }}

{{- define "ces.checksums" -}}
{{- $annotations := dict }}
{{- if eq .root.Values.rollOnSecretChange "checksum" }}
{{- range include "ces.secretNames" . | fromJsonArray }}
{{- $secret := lookup "v1" "Secret" $.root.Release.Namespace . | default dict }}
{{- $_ := set $annotations (printf "checksum/%s" .) (get $secret "data" | toJson | sha256sum) }}
{{- end }}
{{- end }}
{{- toJson $annotations }}
{{- end }}

{{- define "ces.scrapeAnnotations" -}}
{{- $annotations := dict }}
{{- if .Values.monitoring.scrapeAnnotations }}
{{- $annotations = dict "prometheus.io/scrape" "true" "prometheus.io/port" (include "ces.adminPort" .) "prometheus.io/path" "/metrics" }}
{{- end }}
{{- toJson $annotations }}
{{- end }}

{{/* A probe at the admin port. Takes path, usual and own. */}}
{{- define "ces.probe" -}}
{{- mergeOverwrite (dict "httpGet" (dict "path" .path "port" "admin")) .usual .own | toYaml }}
{{- end }}
