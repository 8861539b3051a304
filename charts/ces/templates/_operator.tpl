{{/*
Pods that run `ces` as an operator: with the address of every program and the token of their Secret. Where programs show
certificates to each other, theirs is that of the program `admin`.
*/}}

{{/* Takes root and own (values of the pod). */}}
{{- define "ces.operatorEnvironment" -}}
{{- $root := .root }}
- name: CES_RPC_TOKEN
  valueFrom:
    secretKeyRef: { name: {{ .own.existingSecret | default (printf "%s-admin" (include "ces.fullname" $root)) }}, key: CES_RPC_TOKEN }
- { name: CES_GATEWAY_URL, value: {{ include "ces.gatewayAddress" $root }} }
- { name: NATS_URL, value: {{ $root.Values.nats.url }} }
{{- range include "ces.components" $root | fromJsonArray }}
{{- if ne .name "gateway" }}
- { name: CES_{{ upper .name }}_URL, value: "{{ $root.Values.rpc.tls.enabled | ternary "https" "http" }}://{{ include "ces.podsName" (dict "root" $root "name" .name) }}:{{ .port }}" }
{{- end }}
{{- end }}
{{- range include "ces.operatorFiles" $root | fromJsonArray }}
{{- $folder := include "ces.filesFolder" .volume }}
{{- range $setting, $key := .keys }}
- { name: {{ $setting }}, value: {{ $folder }}/{{ $key }} }
{{- end }}
{{- end }}
{{- end }}

{{/* The gateway as pods of the release reach it. */}}
{{- define "ces.gatewayAddress" -}}
{{- $values := include "ces.values" (dict "root" . "name" "gateway") | fromJson }}
{{- $port := $values.service.port }}
{{- range include "ces.components" . | fromJsonArray }}{{ if eq .name "gateway" }}{{ $port = $port | default .port }}{{ end }}{{ end -}}
{{ .Values.publicTls.secretName | empty | ternary "http" "https" }}://{{ include "ces.fullname" . }}-gateway:{{ $port }}
{{- end }}

{{- define "ces.operatorFiles" -}}
{{- include "ces.rpcFiles" (dict "root" . "name" "admin") }}
{{- end }}

{{/* Spec of the pod. Takes root, component, own, command (what it runs in place of the image's entry, or nothing), args and restartPolicy. */}}
{{- define "ces.operatorPod" -}}
{{- $values := include "ces.jobValues" (dict "root" .root "own" .own) | fromJson }}
{{- $pod := dict "root" .root "component" .component "values" $values }}
metadata:
  labels: {{- include "ces.podLabels" $pod | nindent 4 }}
  {{- with $values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  restartPolicy: {{ .restartPolicy }}
  {{- include "ces.jobFields" $pod | nindent 2 }}
  containers:
    - name: {{ .component }}
      {{- include "ces.imageFields" .root | nindent 6 }}
      {{- with .command }}
      command: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .args }}
      args: {{- toYaml . | nindent 8 }}
      {{- end }}
      env: {{- include "ces.merged" (dict "values" $values "env" (include "ces.operatorEnvironment" .)) | nindent 8 }}
      {{- with $values.extraEnvFrom }}
      envFrom: {{- toYaml . | nindent 8 }}
      {{- end }}
      resources: {{- toYaml $values.resources | nindent 8 }}
      securityContext: {{- include "ces.containerSecurity" $pod | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        {{- range include "ces.operatorFiles" .root | fromJsonArray }}
        {{- include "ces.secretMount" . | nindent 8 }}
        {{- end }}
        {{- include "ces.extraMounts" $pod | nindent 8 }}
    {{- with $values.sidecars }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  volumes:
    - name: tmp
      emptyDir: { sizeLimit: 256Mi }
    {{- range include "ces.operatorFiles" .root | fromJsonArray }}
    {{- include "ces.secretVolume" . | nindent 4 }}
    {{- end }}
    {{- include "ces.extraVolumes" $pod | nindent 4 }}
{{- end }}

{{/* The entry of the image, for those who have no shell there. */}}
{{- define "ces.entry" -}}/nodejs/bin/node /app/deploy/image/src/main.ts{{- end }}
