{{/*
The Service of a program for callers outside the release. What nodes or a load balancer pass on has no admin port; Prometheus finds
it at a Service beside. Takes root, component and values.
*/}}
{{- define "ces.service" -}}
{{- $service := .values.service }}
{{- $context := dict "root" .root "component" .component.name }}
{{- $name := printf "%s-%s" (include "ces.fullname" .root) .component.name }}
{{- $isInner := eq $service.type "ClusterIP" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}
  labels: {{- include "ces.labels" (merge (dict "own" $service.labels) $context) | nindent 4 }}
  {{- with include "ces.annotations" (dict "root" .root "own" $service.annotations) }}
  {{- . | nindent 2 }}
  {{- end }}
spec:
  {{- if not $isInner }}
  type: {{ $service.type }}
  {{- end }}
  {{- range $field := list "loadBalancerClass" "loadBalancerSourceRanges" "externalTrafficPolicy" "ipFamilyPolicy" "ipFamilies" }}
  {{- with get $service $field }}
  {{- dict $field . | toYaml | nindent 2 }}
  {{- end }}
  {{- end }}
  selector: {{- include "ces.selector" $context | nindent 4 }}
  ports:
    - {{ include "ces.servicePort" . }}
    {{- if $isInner }}
    - {{ include "ces.adminServicePort" .root }}
    {{- else }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}-admin
  labels: {{- include "ces.labels" $context | nindent 4 }}
  {{- with include "ces.annotations" (dict "root" .root) }}
  {{- . | nindent 2 }}
  {{- end }}
spec:
  selector: {{- include "ces.selector" $context | nindent 4 }}
  ports:
    - {{ include "ces.adminServicePort" .root }}
    {{- end }}
{{- end }}

{{- define "ces.adminServicePort" -}}
{ name: admin, port: {{ include "ces.adminPort" . }}, targetPort: admin }
{{- end }}
