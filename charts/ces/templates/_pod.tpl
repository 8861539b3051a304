{{/*
What the values say of a pod, whatever runs in it: where, as whom, and with which extras. Each takes root and values: those of a
program (ces.values), or of a Job (ces.jobValues).
*/}}

{{/* Values of a pod that is no program: its own, and where it has none what `defaults` says of place and rights; JSON. Takes root and own. */}}
{{- define "ces.jobValues" -}}
{{- $values := pick (deepCopy .root.Values.defaults) "nodeSelector" "tolerations" "affinity" "priorityClassName" "extraPodSpec" "podSecurityContext" "securityContext" }}
{{- range $key, $value := .own }}{{ if $value }}{{ $_ := set $values $key $value }}{{ end }}{{ end }}
{{- toJson $values }}
{{- end }}

{{- define "ces.podFields" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: {{- include "ces.podSecurity" . | nindent 2 }}
{{- with include "ces.pullSecrets" .root | fromJsonArray }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $field := list "nodeSelector" "tolerations" "affinity" "priorityClassName" }}
{{- with get $.values $field }}
{{ dict $field . | toYaml }}
{{- end }}
{{- end }}
{{- with .values.extraPodSpec }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The same of a pod that is no program, with what runs before it. */}}
{{- define "ces.jobFields" -}}
{{ include "ces.podFields" . }}
{{- with .values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .values.initContainers }}
initContainers: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Without fields that are null; without ids where the cluster gives them. */}}
{{- define "ces.podSecurity" -}}
{{- $context := dict }}
{{- $adapt := .root.Values.global.compatibility.openshift.adaptSecurityContext }}
{{- $adapts := or (eq $adapt "force") (and (eq $adapt "auto") (.root.Capabilities.APIVersions.Has "security.openshift.io/v1")) }}
{{- range $field, $value := .values.podSecurityContext }}
{{- if not (or (kindIs "invalid" $value) (and $adapts (has $field (list "runAsUser" "runAsGroup" "fsGroup")))) }}{{ $_ := set $context $field $value }}{{ end }}
{{- end }}
{{- toYaml $context }}
{{- end }}

{{- define "ces.containerSecurity" -}}
{{- $context := dict }}
{{- range $field, $value := .values.securityContext }}{{ if not (kindIs "invalid" $value) }}{{ $_ := set $context $field $value }}{{ end }}{{ end }}
{{- toYaml $context }}
{{- end }}

{{/* Labels of a pod. Takes root, component and values. */}}
{{- define "ces.podLabels" -}}
{{- include "ces.labels" (merge (dict "own" .values.podLabels) .) }}
{{- end }}

{{- define "ces.imageFields" -}}
image: {{ include "ces.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{- define "ces.extraMounts" -}}
{{- with .values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "ces.extraVolumes" -}}
{{- with .values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/*
Variables of a container: those of the chart that extraEnv does not replace, then extraEnv. No name is there twice. Attributes of
resources are in those of the chart already (ces.kubernetesAttributes). Takes env (YAML of a list) and values; YAML of a list.
*/}}
{{- define "ces.merged" -}}
{{- $chart := .env | fromYamlArray }}
{{- $joined := "" }}
{{- range $chart }}{{ if eq .name "OTEL_RESOURCE_ATTRIBUTES" }}{{ $joined = .name }}{{ end }}{{ end }}
{{- $extra := list }}
{{- $given := list }}
{{- range .values.extraEnv }}
{{- if not (and (eq .name $joined) (hasKey . "value")) }}{{ $extra = append $extra . }}{{ $given = append $given .name }}{{ end }}
{{- end }}
{{- $merged := list }}
{{- range $chart }}{{ if not (has .name $given) }}{{ $merged = append $merged . }}{{ end }}{{ end }}
{{- concat $merged $extra | toYaml }}
{{- end }}
