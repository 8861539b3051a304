{{/* Addresses of every ready pod of a component, by which the programs of the release call it. Takes root and name. */}}
{{- define "ces.podsName" -}}
{{ include "ces.fullname" .root }}-{{ .name }}-pods
{{- end }}

{{/* Ports by name. */}}
{{- define "ces.containerPorts" -}}
{{- if eq .component.name "gateway" }}
- { name: main, containerPort: {{ .component.port }} }
{{- else }}
- { name: grpc, containerPort: {{ .component.port }} }
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
{ name: rpc, port: {{ $port }}, targetPort: grpc, appProtocol: {{ include "ces.rpcProtocol" .root }}{{ $nodePort }} }
{{- end }}
{{- end }}

{{- define "ces.rpcProtocol" -}}
{{ .Values.rpc.tls.enabled | ternary "https" "kubernetes.io/h2c" }}
{{- end }}
