{{/* What scales a program: a HorizontalPodAutoscaler, or a ScaledObject of KEDA. Takes root, component (its name) and values. */}}
{{- define "ces.autoscaler" -}}
{{- $scaling := .values.autoscaling }}
{{- if lt (int $scaling.maxReplicas) (int .values.replicaCount) }}{{ fail (printf "autoscaling of %s has %d replicas at most, and %d at least, which is its replicaCount: raise maxReplicas, or lower replicaCount" .component (int $scaling.maxReplicas) (int .values.replicaCount)) }}{{ end }}
{{- if $scaling.keda.enabled }}
{{- include "ces.scaledObject" . }}
{{- else }}
{{- include "ces.horizontalPodAutoscaler" . }}
{{- end }}
{{- end }}

{{- define "ces.horizontalPodAutoscaler" -}}
{{- $scaling := .values.autoscaling }}
{{- $name := printf "%s-%s" (include "ces.fullname" .root) .component }}
{{- if not (or $scaling.targetCPUUtilizationPercentage $scaling.external $scaling.metrics) }}{{ fail (printf "autoscaling of %s is on and nothing drives it: give targetCPUUtilizationPercentage, external or metrics" .component) }}{{ end -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $name }}
  labels: {{- include "ces.labels" . | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $name }} }
  minReplicas: {{ .values.replicaCount }}
  maxReplicas: {{ $scaling.maxReplicas }}
  {{- with $scaling.behavior }}
  behavior: {{- toYaml . | nindent 4 }}
  {{- end }}
  metrics:
    {{- with $scaling.targetCPUUtilizationPercentage }}
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ . }} }
    {{- end }}
    {{- range $scaling.external }}
    - type: External
      external:
        metric: { name: {{ .name }} }
        target: { type: AverageValue, averageValue: {{ .averageValue | quote }} }
    {{- end }}
    {{- with $scaling.metrics }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}

{{- define "ces.scaledObject" -}}
{{- $root := .root }}
{{- $scaling := .values.autoscaling }}
{{- $keda := $scaling.keda }}
{{- $waiting := $keda.waitingJobs }}
{{- $bundled := $root.Values.postgres.cloudnativepg.enabled }}
{{- $database := dict "root" $root "name" .component }}
{{- $name := printf "%s-%s" (include "ces.fullname" .root) .component }}
{{- if and $waiting.source (ne .component "operations") }}{{ fail (printf "autoscaling.keda.waitingJobs counts the jobs of operations: %s has none" .component) }}{{ end }}
{{- if and (eq $waiting.source "prometheus") (not $waiting.prometheusAddress) }}{{ fail "autoscaling.keda.waitingJobs asks Prometheus: say in .prometheusAddress where it is" }}{{ end }}
{{- if or $scaling.external $scaling.metrics }}{{ fail (printf "autoscaling of %s has metrics of a HorizontalPodAutoscaler, which KEDA makes itself: give keda.triggers" .component) }}{{ end }}
{{- if not (or $scaling.targetCPUUtilizationPercentage $waiting.source $keda.triggers) }}{{ fail (printf "autoscaling of %s is on and nothing drives it: give targetCPUUtilizationPercentage, keda.waitingJobs.source or keda.triggers" .component) }}{{ end -}}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: {{ $name }}
  labels: {{- include "ces.labels" . | nindent 4 }}
spec:
  scaleTargetRef: { name: {{ $name }} }
  minReplicaCount: {{ .values.replicaCount }}
  maxReplicaCount: {{ $scaling.maxReplicas }}
  {{- merge (dict) $keda.spec (dict "pollingInterval" 15) | toYaml | nindent 2 }}
  {{- with $scaling.behavior }}
  advanced:
    horizontalPodAutoscalerConfig:
      behavior: {{- toYaml . | nindent 8 }}
  {{- end }}
  triggers:
    {{- with $scaling.targetCPUUtilizationPercentage }}
    - type: cpu
      metricType: Utilization
      metadata: { value: {{ . | toString | quote }} }
    {{- end }}
    {{- if eq $waiting.source "postgres" }}
    - type: postgresql
      metadata:
        # As the gauge ces_jobs_waiting counts them.
        query: "select count(*) from job where ready and queue <> 'step'"
        targetQueryValue: {{ $waiting.perReplica | toString | quote }}
        {{- if $bundled }}
        host: {{ include "ces.databaseHost" $database }}.{{ $root.Release.Namespace }}.svc
        port: "5432"
        userName: {{ include "ces.databaseRole" $database }}
        dbName: {{ .component }}
        sslmode: require
        {{- end }}
      authenticationRef: { name: {{ $name }}-database }
    {{- else if eq $waiting.source "prometheus" }}
    - type: prometheus
      metadata:
        serverAddress: {{ $waiting.prometheusAddress }}
        # Every replica says the same of the one database.
        query: max(ces_jobs_waiting{namespace="{{ $root.Release.Namespace }}",release="{{ $root.Release.Name }}"})
        threshold: {{ $waiting.perReplica | toString | quote }}
    {{- end }}
    {{- with $keda.triggers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- if eq $waiting.source "postgres" }}
---
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata:
  name: {{ $name }}-database
  labels: {{- include "ces.labels" . | nindent 4 }}
spec:
  secretTargetRef:
    {{- if $bundled }}
    - parameter: password
      name: {{ include "ces.databaseName" $database }}-postgres
      key: password
    {{- else }}
    - parameter: connection
      name: {{ .values.existingSecret | default $name }}
      key: CES_OPERATIONS_DATABASE_URL
    {{- end }}
{{- end }}
{{- end }}
