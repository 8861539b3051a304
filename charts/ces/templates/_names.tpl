{{- define "ces.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "ces.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{/* Labels of everything; of one component with `component` in the context. */}}
{{- define "ces.labels" -}}
{{ include "ces.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "ces.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* The values of a component: the defaults, and on top its own. Takes root and name. */}}
{{- define "ces.values" -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) (index .root.Values.components .name | default dict) | toJson }}
{{- end }}

{{/* Every program as the code has it; the gateway at the port that its settings name. */}}
{{- define "ces.components" -}}
{{- $components := list }}
{{- range .Files.Get "files/components.json" | fromJsonArray }}
{{- $component := . }}
{{- if eq .name "gateway" }}
{{- $values := include "ces.values" (dict "root" $ "name" .name) | fromJson }}
{{- with index (merge (dict) $values.settings $.Values.settings) .portSetting }}
{{- $component = set (deepCopy $component) "port" (int .) }}
{{- end }}
{{- end }}
{{- $components = append $components $component }}
{{- end }}
{{- toJson $components }}
{{- end }}

{{- define "ces.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "ces.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "ces.adminPort" -}}9090{{- end }}
