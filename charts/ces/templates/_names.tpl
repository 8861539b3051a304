{{- define "ces.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "ces.fullname" -}}
{{- $name := "" }}
{{- if .Values.fullnameOverride }}{{ $name = .Values.fullnameOverride }}
{{- else if contains (include "ces.name" .) .Release.Name }}{{ $name = .Release.Name }}
{{- else }}{{ $name = printf "%s-%s" .Release.Name (include "ces.name" .) }}{{ end }}
{{- if not (regexMatch "^[a-z]" $name) }}{{ fail (printf "%s cannot begin the names of Services, which begin with a letter: give fullnameOverride" $name) }}{{ end }}
{{- /* Of what follows, -migrate-acquisition is the longest in 63 characters; a CronJob has 52, a cluster of CloudNativePG 50. */}}
{{- $most := or .Values.postgres.cloudnativepg.enabled .Values.ledgerVerify.enabled | ternary 38 43 }}
{{- if gt (len $name) $most }}{{ fail (printf "%s is longer than the %d characters that the names of Services, Jobs and databases leave: give fullnameOverride" $name $most) }}{{ end }}
{{- $name }}
{{- end }}

{{- define "ces.image" -}}
{{- $registry := .Values.global.imageRegistry | default .Values.image.registry }}
{{- with .Values.image }}{{ with $registry }}{{ trimSuffix "/" . }}/{{ end }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{/* Another's image, from the registry of all images where there is one. Takes root and image. */}}
{{- define "ces.mirroredImage" -}}
{{- with .root.Values.global.imageRegistry }}{{ trimSuffix "/" . }}/{{ regexReplaceAll "^(localhost|[^/]*[.:][^/]*)/" $.image "" }}{{ else }}{{ .image }}{{ end }}
{{- end }}

{{/* Secrets of registries as references, those of all charts first; a list as JSON. */}}
{{- define "ces.pullSecrets" -}}
{{- $secrets := list }}
{{- range .Values.imagePullSecrets | concat .Values.global.imagePullSecrets }}
{{- $secrets = append $secrets (kindIs "string" . | ternary (dict "name" .) .) }}
{{- end }}
{{- $secrets | uniq | toJson }}
{{- end }}

{{/*
Labels of everything; of one component with `component` in the context, and with `own` of one object: those win over those of all,
but nothing over what selectors ask for. No name stands there twice, which Flux and Kustomize refuse.
*/}}
{{- define "ces.labels" -}}
{{- $chart := dict "app.kubernetes.io/version" .root.Chart.AppVersion "app.kubernetes.io/managed-by" .root.Release.Service "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version) }}
{{- mergeOverwrite $chart .root.Values.commonLabels (.own | default dict) (include "ces.selector" . | fromYaml) | toYaml }}
{{- end }}

{{/* Labels of all pods for those that an operator makes: without those by which the chart, and the operator, find pods. JSON. */}}
{{- define "ces.inheritedLabels" -}}
{{- omit .Values.commonLabels "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/component" | toJson }}
{{- end }}

{{- define "ces.selector" -}}
app.kubernetes.io/name: {{ include "ces.name" .root | quote }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* Annotations: those of all objects and on top `own`; nothing where there are none. Takes root and own. */}}
{{- define "ces.annotations" -}}
{{- with merge (dict) (.own | default dict) .root.Values.commonAnnotations -}}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The values of a component: the defaults, and on top its own. Takes root and name. */}}
{{- define "ces.values" -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) (index .root.Values.components .name | default dict) | toJson }}
{{- end }}

{{/* Settings by name: those of all, and on top those of a component, false, 0 and empty ones too. Takes root and values; JSON. */}}
{{- define "ces.settings" -}}
{{- mergeOverwrite (deepCopy .root.Values.settings) (.values.settings | default dict) | toJson }}
{{- end }}

{{/* A value as text; of a whole number all its digits, since large ones are floats here, and those are written 1e+06. */}}
{{- define "ces.plain" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ int64 . }}{{ else }}{{ toString . }}{{ end }}
{{- end }}

{{/* Every program as the code has it; the gateway at the port that its settings name. */}}
{{- define "ces.components" -}}
{{- $components := list }}
{{- range .Files.Get "files/components.json" | fromJsonArray }}
{{- $component := . }}
{{- if eq .name "gateway" }}
{{- $values := include "ces.values" (dict "root" $ "name" .name) | fromJson }}
{{- with index (include "ces.settings" (dict "root" $ "values" $values) | fromJson) .portSetting }}
{{- $component = set (deepCopy $component) "port" (int .) }}
{{- end }}
{{- end }}
{{- $components = append $components $component }}
{{- end }}
{{- toJson $components }}
{{- end }}

{{- define "ces.adminPort" -}}9090{{- end }}
