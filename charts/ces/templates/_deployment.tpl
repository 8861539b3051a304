{{/*
The pods of a program. Takes root, component and components (of components.json), values, name, which is that of the component but of
search that fills, and engine, which search runs with.
*/}}
{{- define "ces.deployment" -}}
{{- $root := .root }}
{{- $values := .values }}
{{- $context := dict "root" $root "component" .name }}
{{- $pod := dict "root" $root "component" .name "values" $values }}
{{- $secrets := dict "root" $root "component" .component.name "values" $values "engine" .engine -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "ces.fullname" $root }}-{{ .name }}
  labels: {{- include "ces.labels" $context | nindent 4 }}
  {{- with include "ces.annotations" (dict "root" $root "own" (merge (dict) $values.deploymentAnnotations (include "ces.reloadAnnotations" $secrets | fromJson))) }}
  {{- . | nindent 2 }}
  {{- end }}
spec:
  {{- if not $values.autoscaling.enabled }}
  replicas: {{ $values.replicaCount }}
  {{- end }}
  revisionHistoryLimit: {{ $values.revisionHistoryLimit }}
  strategy: {{- $values.strategy | default (dict "rollingUpdate" (dict "maxUnavailable" 0 "maxSurge" 1)) | toYaml | nindent 4 }}
  selector:
    matchLabels: {{- include "ces.selector" $context | nindent 6 }}
  template:
    metadata:
      labels: {{- include "ces.podLabels" $pod | nindent 8 }}
      {{- with merge (dict) $values.podAnnotations (include "ces.checksums" $secrets | fromJson) (include "ces.scrapeAnnotations" $root | fromJson) }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "ces.serviceAccount" (dict "root" $root "name" .component.name) }}
      terminationGracePeriodSeconds: {{ $root.Values.shutdown.terminationGracePeriodSeconds }}
      {{- include "ces.podFields" $pod | nindent 6 }}
      {{- with $values.topologySpreadConstraints }}
      topologySpreadConstraints:
        {{- range . }}
        - {{- merge (dict) . (dict "labelSelector" (dict "matchLabels" (include "ces.selector" $context | fromYaml))) | toYaml | nindent 10 }}
        {{- end }}
      {{- end }}
      {{- with $values.initContainers }}
      initContainers: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .name }}
          {{- include "ces.imageFields" $root | nindent 10 }}
          args: [{{ .component.name }}]
          env: {{- include "ces.merged" (dict "values" $values "env" (include "ces.environment" .)) | nindent 12 }}
          {{- with $values.extraEnvFrom }}
          envFrom: {{- toYaml . | nindent 12 }}
          {{- end }}
          ports: {{- include "ces.containerPorts" . | nindent 12 }}
          startupProbe: {{- include "ces.probe" (dict "path" "/startupz" "own" $values.startupProbe "usual" (dict "periodSeconds" 2 "failureThreshold" 60)) | nindent 12 }}
          readinessProbe: {{- include "ces.probe" (dict "path" "/readyz" "own" $values.readinessProbe "usual" (dict "periodSeconds" 2 "failureThreshold" 2 "timeoutSeconds" 3)) | nindent 12 }}
          livenessProbe: {{- include "ces.probe" (dict "path" "/livez" "own" $values.livenessProbe "usual" (dict "periodSeconds" 10 "failureThreshold" 3 "timeoutSeconds" 5)) | nindent 12 }}
          {{- if eq (include "ces.hasSleepHook" $root) "true" }}
          lifecycle:
            preStop:
              sleep: { seconds: {{ $root.Values.shutdown.drainSeconds }} }
          {{- end }}
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext: {{- include "ces.containerSecurity" $pod | nindent 12 }}
          volumeMounts:
            {{- include "ces.volumeMounts" . | nindent 12 }}
            {{- include "ces.extraMounts" $pod | nindent 12 }}
        {{- with $values.sidecars }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
        {{- include "ces.volumes" . | nindent 8 }}
        {{- include "ces.extraVolumes" $pod | nindent 8 }}
{{- end }}
