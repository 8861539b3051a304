{{/*
Files that a component reads, by the settings that name them: volumes of Secrets, as lists of the volume's name, the Secret
and its keys (path: key). Takes root, component and engine (that of search).
*/}}
{{- define "ces.secretFiles" -}}
{{- $files := list }}
{{- $name := .component.name }}
{{- $tokens := dict }}
{{- range .component.settings }}
{{- if has .name (list "CES_RPC_TOKENS" "CES_RPC_CALLER_DIGESTS") }}{{ $_ := set $tokens (printf "%s_FILE" .name) .name }}{{ end }}
{{- end }}
{{- $values := include "ces.values" (dict "root" .root "name" $name) | fromJson }}
{{- $own := $values.existingSecret | default (printf "%s-%s" (include "ces.fullname" .root) $name) }}
{{- $files = append $files (dict "volume" "rpc-tokens" "secret" $own "keys" $tokens "optional" true) }}
{{- $files = concat $files (include "ces.rpcFiles" (dict "root" .root "name" $name) | fromJsonArray) }}
{{- if eq $name "gateway" }}
{{- with .root.Values.publicTls }}
{{- if .secretName }}
{{- $keys := dict "CES_PUBLIC_CERT_FILE" "tls.crt" "CES_PUBLIC_KEY_FILE" "tls.key" }}
{{- if .clientCertificate }}{{ $_ := set $keys "CES_PUBLIC_CLIENT_CA_FILE" "ca.crt" }}{{ end }}
{{- $files = append $files (dict "volume" "public-tls" "secret" .secretName "keys" $keys) }}
{{- end }}
{{- end }}
{{- end }}
{{- with .root.Values.telemetry.tls }}
{{- if .secretName }}
{{- $keys := dict "OTEL_EXPORTER_OTLP_CERTIFICATE" "ca.crt" }}
{{- if .clientCertificate }}
{{- $_ := merge $keys (dict "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE" "tls.crt" "OTEL_EXPORTER_OTLP_CLIENT_KEY" "tls.key") }}
{{- end }}
{{- $files = append $files (dict "volume" "telemetry-tls" "secret" (replace "{program}" $name .secretName) "keys" $keys) }}
{{- end }}
{{- end }}
{{- if and (eq $name "search") (eq .engine "opensearch") }}
{{- with .root.Values.search.opensearch.caSecret }}
{{- $files = append $files (dict "volume" "opensearch-ca" "secret" . "keys" (dict "CES_SEARCH_OPENSEARCH_CA_FILE" "ca.crt")) }}
{{- end }}
{{- end }}
{{- if .component.database }}
{{- with .root.Values.postgres.tls }}
{{- if .secretName }}
{{- $files = append $files (include "ces.postgresFiles" (dict "root" $.root "secret" (replace "{program}" $name .secretName)) | fromJson) }}
{{- end }}
{{- end }}
{{- end }}
{{- if .component.broker }}
{{- with .root.Values.nats.credentials }}
{{- if .secretName }}
{{- $settings := dict "creds" "CES_NATS_CREDS_FILE" "nkey" "CES_NATS_NKEY_FILE" "password" "CES_NATS_PASSWORD_FILE" "token" "CES_NATS_TOKEN_FILE" }}
{{- $kind := .kind | default "creds" }}
{{- $usual := has $kind (list "password" "token") | ternary $kind "nats.creds" }}
{{- $files = append $files (dict "volume" "nats-credentials" "secret" (replace "{program}" $name .secretName) "keys" (dict (index $settings $kind) (.key | default $usual))) }}
{{- end }}
{{- end }}
{{- with .root.Values.nats.tls }}
{{- if .secretName }}
{{- $keys := dict "CES_NATS_CA_FILE" "ca.crt" }}
{{- if .clientCertificate }}
{{- $_ := merge $keys (dict "CES_NATS_CERT_FILE" "tls.crt" "CES_NATS_KEY_FILE" "tls.key") }}
{{- end }}
{{- $files = append $files (dict "volume" "nats-tls" "secret" (replace "{program}" $name .secretName) "keys" $keys) }}
{{- end }}
{{- end }}
{{- end }}
{{- toJson $files }}
{{- end }}

{{/* What a program proves itself to others with, as a list of none or one. Takes root and name. */}}
{{- define "ces.rpcFiles" -}}
{{- $files := list }}
{{- $name := .name }}
{{- with .root.Values.rpc.tls }}
{{- if .enabled }}
{{- $secret := .secretName | default (printf "%s-{program}-rpc-tls" (include "ces.fullname" $.root)) }}
{{- $keys := dict "CES_RPC_TLS_CERT_FILE" "tls.crt" "CES_RPC_TLS_KEY_FILE" "tls.key" "CES_RPC_TLS_CA_FILE" "ca.crt" }}
{{- $files = append $files (dict "volume" "rpc-tls" "secret" (replace "{program}" $name $secret) "keys" $keys) }}
{{- end }}
{{- end }}
{{- toJson $files }}
{{- end }}

{{/* The volume of what a process checks Postgres with. Takes root and secret. */}}
{{- define "ces.postgresFiles" -}}
{{- $keys := dict "CES_POSTGRES_CA_FILE" "ca.crt" }}
{{- if .root.Values.postgres.tls.clientCertificate }}
{{- $_ := merge $keys (dict "CES_POSTGRES_CERT_FILE" "tls.crt" "CES_POSTGRES_KEY_FILE" "tls.key") }}
{{- end }}
{{- dict "volume" "postgres-tls" "secret" .secret "keys" $keys | toJson }}
{{- end }}

{{- define "ces.filesFolder" -}}/var/run/ces/{{ . }}{{- end }}

{{- define "ces.volumeMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if eq (include "ces.hasIndexFolder" .) "true" }}
- { name: index, mountPath: {{ include "ces.indexFolder" . }} }
{{- end }}
{{- range include "ces.secretFiles" . | fromJsonArray }}
{{ include "ces.secretMount" . }}
{{- end }}
{{- range include "ces.serviceAccountVolumes" . | fromJsonArray }}
{{ include "ces.secretMount" (dict "volume" .name) }}
{{- end }}
{{- end }}

{{- define "ces.secretMount" -}}
- { name: {{ .volume }}, mountPath: {{ include "ces.filesFolder" .volume }}, readOnly: true }
{{- end }}

{{/* Whole folders and no single files: only so do they change in the pod when the Secret changes. */}}
{{- define "ces.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 256Mi }
{{- if eq (include "ces.hasIndexFolder" .) "true" }}
# The file is bounded by CES_SEARCH_MEMORY_INDEX_MIB. It survives restarts of the container.
- name: index
  emptyDir: {}
{{- end }}
{{- range include "ces.secretFiles" . | fromJsonArray }}
{{ include "ces.secretVolume" . }}
{{- end }}
{{- with include "ces.serviceAccountVolumes" . | fromJsonArray }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "ces.secretVolume" -}}
- name: {{ .volume }}
  secret:
    secretName: {{ .secret }}
    {{- if .optional }}
    # Callers that use only tokens of ServiceAccounts have no such keys.
    optional: true
    {{- end }}
    # For root, who mounts them, and by fsGroup for the one user of the pod.
    defaultMode: 0400
    items:
      {{- range .keys | values | sortAlpha }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end }}

{{/* Refuses half a configuration, each with a sentence. */}}
{{- define "ces.checkFiles" -}}
{{- with .Values.rpc.tls }}
{{- if and .secretName (not .enabled) }}{{ fail "rpc.tls.secretName names certificates, and rpc.tls.enabled is false: turn it on, or leave the name out" }}{{ end }}
{{- end }}
{{- with .Values.publicTls }}
{{- if and .clientCertificate (not .secretName) }}{{ fail "publicTls.clientCertificate is wanted, and publicTls.secretName says not where certificates are" }}{{ end }}
{{- end }}
{{- with .Values.telemetry.tls }}
{{- if and .clientCertificate (not .secretName) }}{{ fail "telemetry.tls.clientCertificate is wanted, and telemetry.tls.secretName says not where it is" }}{{ end }}
{{- end }}
{{- with .Values.postgres.tls }}
{{- if and (or .clientCertificate .ownerSecretName) (not .secretName) }}{{ fail "postgres.tls is given, and postgres.tls.secretName says not where the authority is" }}{{ end }}
{{- end }}
{{- if contains "@" .Values.nats.url }}{{ fail "nats.url must carry no name, password or token: put them into a Secret that nats.credentials names" }}{{ end }}
{{- with .Values.nats.credentials }}
{{- if and .user (ne .kind "password") }}{{ fail "nats.credentials.user is given, and nats.credentials.kind is not password" }}{{ end }}
{{- if and (eq .kind "password") (not .user) }}{{ fail "nats.credentials.kind is password, and nats.credentials.user says not whose" }}{{ end }}
{{- if and .kind (not .secretName) }}{{ fail "nats.credentials.kind is given, and nats.credentials.secretName says not where it is" }}{{ end }}
{{- end }}
{{- with .Values.nats.tls }}
{{- if and .clientCertificate (not .secretName) }}{{ fail "nats.tls.clientCertificate is wanted, and nats.tls.secretName says not where it is" }}{{ end }}
{{- end }}
{{- end }}
