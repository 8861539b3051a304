{{/*
Every setting of a component, by name: what the chart knows, else what the values say, else its default; a secret by reference.
Takes root, component (of components.json), values, components, name (what its Deployment ends in) and engine (that of search).
*/}}
{{- define "ces.environment" -}}
{{- $root := .root }}
{{- $fullname := include "ces.fullname" $root }}
{{- $known := dict
  "CES_HOST" "::"
  .component.portSetting (toString .component.port)
  (printf "CES_%s_ADMIN_PORT" (upper .component.name)) (include "ces.adminPort" $root)
  "NATS_URL" $root.Values.nats.url
  "CES_NATS_USER" ($root.Values.nats.credentials.user | default "" | replace "{program}" .component.name)
  "CES_NATS_REPLICAS" (toString $root.Values.nats.streamReplicas)
  "OTEL_EXPORTER_OTLP_ENDPOINT" $root.Values.telemetry.otlpEndpoint
  "CES_DRAIN_DELAY_MS" (ternary "0" (mul 1000 $root.Values.shutdown.drainSeconds | toString) (eq (include "ces.hasSleepHook" $root) "true"))
}}
{{- range .components }}
{{- if has .name $.component.calls }}
{{- $pods := include "ces.podsName" (dict "root" $root "name" .name) }}
{{- $_ := set $known (printf "CES_%s_URL" (upper .name)) (printf "%s://%s:%v" ($root.Values.rpc.tls.enabled | ternary "https" "http") $pods .port) }}
{{- end }}
{{- end }}
{{- range include "ces.secretFiles" . | fromJsonArray }}
{{- $folder := include "ces.filesFolder" .volume }}
{{- range $setting, $key := .keys }}{{ $_ := set $known $setting (printf "%s/%s" $folder $key) }}{{ end }}
{{- end }}
{{- $known = merge $known (include "ces.serviceAccountSettings" . | fromJson) (include "ces.searchSettings" . | fromJson) }}
{{- $search := dict }}
{{- if and (eq .engine "opensearch") $root.Values.search.opensearch.existingSecret }}
{{- $search = dict "CES_SEARCH_OPENSEARCH_USER" "username" "CES_SEARCH_OPENSEARCH_PASSWORD" "password" }}
{{- end }}
{{- with include "ces.routedAddress" $root }}{{ $_ := set $known "CES_PUBLIC_URL" . }}{{ end }}
{{- $given := include "ces.settings" . | fromJson }}
{{- $database := printf "CES_%s_DATABASE_URL" (upper .component.name) }}
{{- $parts := dict "root" $root "name" .component.name }}
{{- range .component.settings }}
- name: {{ .name }}
{{- if and (eq .name $database) $root.Values.postgres.cloudnativepg.enabled }}
  value: postgres://{{ include "ces.databaseRole" $parts }}@{{ include "ces.databaseHost" $parts }}:5432/{{ $.component.name }}
{{- else if hasKey $search .name }}
  valueFrom:
    secretKeyRef: { name: {{ $root.Values.search.opensearch.existingSecret }}, key: {{ index $search .name }} }
{{- else if .secret }}
  valueFrom:
    secretKeyRef:
      name: {{ $.values.existingSecret | default (printf "%s-%s" $fullname $.component.name) }}
      key: {{ .name }}
      {{- if hasKey . "default" }}
      optional: true
      {{- end }}
{{- else if hasKey $given .name }}
  value: {{ include "ces.plain" (index $given .name) | quote }}
{{- else if hasKey $known .name }}
  value: {{ index $known .name | quote }}
{{- else }}
  value: {{ .default | default "" | quote }}
{{- end }}
{{- end }}
{{- if and .component.database $root.Values.postgres.cloudnativepg.enabled }}
# Of the role in that address: the Secret that CloudNativePG gives it its password from.
- name: PGPASSWORD
  valueFrom:
    secretKeyRef: { name: {{ include "ces.databaseName" $parts }}-postgres, key: password }
{{- end }}
{{- range include "ces.secretFiles" . | fromJsonArray }}
{{- $folder := include "ces.filesFolder" .volume }}
{{- range $variable, $key := .keys }}
{{- if hasPrefix "OTEL_" $variable }}
- name: {{ $variable }}
  value: {{ $folder }}/{{ $key }}
{{- end }}
{{- end }}
{{- end }}
{{- if $root.Values.telemetry.kubernetesAttributes }}
{{- $more := "" }}
{{- range .values.extraEnv }}{{ if eq .name "OTEL_RESOURCE_ATTRIBUTES" }}{{ $more = get . "value" }}{{ end }}{{ end }}
{{- include "ces.kubernetesAttributes" (dict "name" .name "fullname" $fullname "more" $more) }}
{{- end }}
{{- end }}

{{/* Where a process runs, by the conventions of OpenTelemetry. Takes name, fullname and more: attributes of extraEnv. */}}
{{- define "ces.kubernetesAttributes" -}}
{{- range $variable, $path := dict "NAMESPACE_NAME" "metadata.namespace" "POD_NAME" "metadata.name" "POD_UID" "metadata.uid" "NODE_NAME" "spec.nodeName" }}
- name: OTEL_RESOURCE_ATTRIBUTES_{{ $variable }}
  valueFrom:
    fieldRef: { fieldPath: {{ $path }} }
{{- end }}
{{- $attributes := list "k8s.namespace.name=$(OTEL_RESOURCE_ATTRIBUTES_NAMESPACE_NAME)" "k8s.pod.name=$(OTEL_RESOURCE_ATTRIBUTES_POD_NAME)" "k8s.pod.uid=$(OTEL_RESOURCE_ATTRIBUTES_POD_UID)" "k8s.node.name=$(OTEL_RESOURCE_ATTRIBUTES_NODE_NAME)" }}
{{- $attributes = concat $attributes (list (printf "k8s.deployment.name=%s-%s" .fullname .name) (printf "k8s.container.name=%s" .name)) }}
{{- with .more }}{{ $attributes = append $attributes . }}{{ end }}
# After the variables that it names: only so are they put in.
- name: OTEL_RESOURCE_ATTRIBUTES
  value: {{ join "," $attributes | quote }}
{{- end }}

{{/* "true" where the kubelet can wait before it ends a container. */}}
{{- define "ces.hasSleepHook" -}}
{{- semverCompare ">=1.30.0-0" .Capabilities.KubeVersion.Version }}
{{- end }}

{{/* Refuses settings that no program has, secrets among them, and those that need more of a pod than a variable. */}}
{{- define "ces.checkSettings" -}}
{{- $root := .root }}
{{- if or $root.Values.ingress.enabled $root.Values.httpRoute.enabled }}
{{- $gateway := include "ces.values" (dict "root" $root "name" "gateway") | fromJson }}
{{- $proxies := (include "ces.settings" (dict "root" $root "values" $gateway) | fromJson).CES_TRUSTED_PROXIES }}
{{- if not $proxies }}{{ fail "an Ingress or an HTTPRoute puts a proxy before the gateway: name the networks of its pods in components.gateway.settings.CES_TRUSTED_PROXIES, or all callers have one address and share its limits" }}{{ end }}
{{- end }}
{{- $secret := dict }}
{{- range .components }}{{ range .settings }}{{ $_ := set $secret .name .secret }}{{ end }}{{ end }}
{{- $given := list $root.Values.settings $root.Values.defaults.settings }}
{{- range $root.Values.components }}{{ $given = append $given (.settings | default dict) }}{{ end }}
{{- $extra := list }}
{{- range .components }}{{ $extra = concat $extra (include "ces.values" (dict "root" $root "name" .name) | fromJson).extraEnv }}{{ end }}
{{- range list $root.Values.migrations $root.Values.toolbox $root.Values.ledgerVerify $root.Values.helmTest }}{{ $extra = concat $extra (.extraEnv | default list) }}{{ end }}
{{- range $extra }}
{{- $isSecret := or (get $secret .name) (regexMatch "^(CES_RPC_TOKEN|CES_[A-Z]+_OWNER_DATABASE_URL|PGPASSWORD|OTEL_EXPORTER_OTLP_([A-Z]+_)?HEADERS)$" .name) }}
{{- if and (hasKey . "value") $isSecret }}{{ fail (printf "%s is a secret: put it into the Secret of its component, or take it from another by valueFrom" .name) }}{{ end }}
{{- end }}
{{- range $given }}
{{- range $name, $_ := . }}
{{- if not (hasKey $secret $name) }}{{ fail (printf "%s is no setting of this version: see ces config" $name) }}{{ end }}
{{- if index $secret $name }}{{ fail (printf "%s is a secret: put it into the Secret of its component" $name) }}{{ end }}
{{- if regexMatch "^CES_(RPC_TLS|NATS|POSTGRES|PUBLIC)_[A-Z_]+_FILE$" $name }}{{ fail (printf "%s names a file that no pod has: use rpc.tls, nats.credentials, nats.tls, postgres.tls or publicTls" $name) }}{{ end }}
{{- if regexMatch "^CES_RPC_(TOKENS|CALLER_DIGESTS)_FILE$" $name }}{{ fail (printf "%s is mounted from the Secret of its component: put the setting without _FILE into that" $name) }}{{ end }}
{{- if and (regexMatch "_PORT$" $name) (ne $name "CES_PORT") }}{{ fail (printf "%s would move a program away from where its callers and probes look for it: leave it out" $name) }}{{ end }}
{{- if eq $name "NATS_URL" }}{{ fail "NATS_URL is rendered, and opened in the network policies, from nats.url: set that" }}{{ end }}
{{- if regexMatch "^CES_RPC_(SERVICE_ACCOUNT.*|SHARED_TOKENS)$" $name }}{{ fail (printf "%s needs volumes of the pod: use rpc.serviceAccountTokens" $name) }}{{ end }}
{{- if regexMatch "^CES_SEARCH_(ENGINE|OPENSEARCH_(URL|CA_FILE))$" $name }}{{ fail (printf "%s needs ways and volumes of the pod: use search.engine and search.opensearch" $name) }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
