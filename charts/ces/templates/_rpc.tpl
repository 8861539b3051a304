{{/* Addresses of every ready pod of a component, by which the programs of the release call it. Takes root and name. */}}
{{- define "ces.podsName" -}}
{{ include "ces.fullname" .root }}-{{ .name }}-pods
{{- end }}

{{/* The public address that an HTTPRoute or an Ingress gives the gateway; nothing where there is neither. */}}
{{- define "ces.routedAddress" -}}
{{- if and .Values.httpRoute.enabled .Values.httpRoute.hostnames -}}
https://{{ first .Values.httpRoute.hostnames }}
{{- else if .Values.ingress.enabled -}}
{{ .Values.ingress.tls | empty | ternary "http" "https" }}://{{ dig "host" "" (first .Values.ingress.hosts | default dict) }}
{{- end }}
{{- end }}

{{/* The address by which people reach the gateway; without a route, that of its Service in the cluster. */}}
{{- define "ces.publicAddress" -}}
{{- $gateway := include "ces.values" (dict "root" . "name" "gateway") | fromJson }}
{{- $given := (include "ces.settings" (dict "root" . "values" $gateway) | fromJson).CES_PUBLIC_URL }}
{{- $inCluster := include "ces.gatewayAddress" . | replace "-gateway:" (printf "-gateway.%s.svc:" .Release.Namespace) }}
{{- $given | default (include "ces.routedAddress" .) | default $inCluster | trimSuffix "/" }}
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
