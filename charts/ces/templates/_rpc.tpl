{{/* Addresses of every ready pod of a component, by which the programs of the release call it. Takes root and name. */}}
{{- define "ces.podsName" -}}
{{ include "ces.fullname" .root }}-{{ .name }}-pods
{{- end }}

{{/* The port on which pods also take HTTP/1.1, for callers of the release before; empty: there is none. */}}
{{- define "ces.previousPort" -}}
{{- if and .Values.rpc.previousRelease (not .Values.rpc.tls.enabled) }}9091{{ end }}
{{- end }}

{{/*
What programs of the release before still use is kept when `helm rollback` takes away what they did not know, as pods of this
release call and are called until the last of them is replaced; annotations as JSON.
*/}}
{{- define "ces.keptAtRollback" -}}
{{- and .Release.IsUpgrade (include "ces.previousPort" .) | empty | ternary dict (dict "helm.sh/resource-policy" "keep") | toJson }}
{{- end }}

{{/* Ports by name. The release before knew the RPC port as `main`; its callers and Services still ask for that name. */}}
{{- define "ces.containerPorts" -}}
{{- if eq .component.name "gateway" }}
- { name: main, containerPort: {{ .component.port }} }
{{- else }}
- { name: grpc, containerPort: {{ .component.port }} }
{{- with include "ces.previousPort" .root }}
- { name: main, containerPort: {{ . }} }
{{- end }}
{{- end }}
- { name: admin, containerPort: {{ include "ces.adminPort" .root }} }
{{- end }}

{{/* The port of a Service for callers outside the release. */}}
{{- define "ces.servicePort" -}}
{{- $port := .values.service.port | default .component.port }}
{{- $nodePort := .values.service.nodePort | empty | ternary "" (printf ", nodePort: %v" .values.service.nodePort) }}
{{- if eq .component.name "gateway" -}}
{ name: http, port: {{ $port }}, targetPort: main, appProtocol: {{ .root.Values.publicTls.secretName | empty | ternary "http" "https" }}{{ $nodePort }} }
{{- else -}}
{ name: rpc, port: {{ $port }}, targetPort: {{ include "ces.previousPort" .root | empty | ternary "grpc" "main" }}, appProtocol: {{ include "ces.rpcProtocol" .root }}{{ $nodePort }} }
{{- end }}
{{- end }}

{{- define "ces.rpcProtocol" -}}
{{ .Values.rpc.tls.enabled | ternary "https" "kubernetes.io/h2c" }}
{{- end }}
