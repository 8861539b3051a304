{{/* The ServiceAccount of a component's pods. Takes root and name. */}}
{{- define "ces.serviceAccount" -}}
{{- $account := (include "ces.values" . | fromJson).serviceAccount }}
{{- $account.name | default ($account.create | ternary (include "ces.nameBesideDatabase" .) "default") }}
{{- end }}

{{/* For whom a token is that a component is shown. Takes root and name. */}}
{{- define "ces.audience" -}}
{{ include "ces.fullname" .root }}-{{ .name }}
{{- end }}

{{/*
Volumes of tokens of ServiceAccounts: one for each program that a component calls, and what those that are called check them
with. Takes root and component.
*/}}
{{- define "ces.serviceAccountVolumes" -}}
{{- $root := .root }}
{{- $volumes := list }}
{{- with $root.Values.rpc.serviceAccountTokens }}
{{- $life := int .expirationSeconds }}
{{- if .enabled }}
{{- if $.component.calls }}
{{- $sources := list }}
{{- range $.component.calls }}
{{- $audience := include "ces.audience" (dict "root" $root "name" .) }}
{{- $sources = append $sources (dict "serviceAccountToken" (dict "audience" $audience "expirationSeconds" $life "path" .)) }}
{{- end }}
{{- $volumes = append $volumes (dict "name" "service-account-tokens" "projected" (dict "sources" $sources)) }}
{{- end }}
{{- if ne $.component.name "gateway" }}
{{- $keys := dict "name" (.keysConfigMap | default (printf "%s-issuer-keys" (include "ces.fullname" $root))) "items" (list (dict "key" "jwks.json" "path" "jwks.json")) }}
{{- if .apiServer.enabled }}
{{- $authority := dict "configMap" (dict "name" "kube-root-ca.crt" "items" (list (dict "key" "ca.crt" "path" "ca.crt"))) }}
{{- $own := dict "serviceAccountToken" (dict "expirationSeconds" $life "path" "token") }}
{{- $volumes = append $volumes (dict "name" "issuer-keys" "projected" (dict "sources" (list $authority $own))) }}
{{- else }}
{{- $volumes = append $volumes (dict "name" "issuer-keys" "configMap" $keys) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- toJson $volumes }}
{{- end }}

{{/* What the chart knows of these settings, by name. Takes root, component, components. */}}
{{- define "ces.serviceAccountSettings" -}}
{{- $root := .root }}
{{- $known := dict }}
{{- with $root.Values.rpc.serviceAccountTokens }}
{{- if .enabled }}
{{- $callers := list }}
{{- range $.components }}
{{- if has $.component.name .calls }}{{ $callers = append $callers (printf "%s=%s:%s" .name $root.Release.Namespace (include "ces.serviceAccount" (dict "root" $root "name" .name))) }}{{ end }}
{{- end }}
{{- $keys := include "ces.filesFolder" "issuer-keys" }}
{{- $known = dict
  "CES_RPC_SERVICE_ACCOUNTS" (join "," $callers)
  "CES_RPC_SERVICE_ACCOUNT_ISSUER" .issuer
  "CES_RPC_SERVICE_ACCOUNT_AUDIENCE" (include "ces.audience" (dict "root" $root "name" $.component.name))
  "CES_RPC_SHARED_TOKENS" (toString .sharedTokens)
}}
{{- if $.component.calls }}{{ $_ := set $known "CES_RPC_SERVICE_ACCOUNT_TOKENS" (include "ces.filesFolder" "service-account-tokens") }}{{ end }}
{{- if .apiServer.enabled }}
{{- $_ := set $known "CES_RPC_SERVICE_ACCOUNT_KEYS_URL" "https://kubernetes.default.svc/openid/v1/jwks" }}
{{- $_ := set $known "CES_RPC_SERVICE_ACCOUNT_KEYS_CA_FILE" (printf "%s/ca.crt" $keys) }}
{{- $_ := set $known "CES_RPC_SERVICE_ACCOUNT_KEYS_TOKEN_FILE" (printf "%s/token" $keys) }}
{{- else }}
{{- $_ := set $known "CES_RPC_SERVICE_ACCOUNT_KEYS_FILE" (printf "%s/jwks.json" $keys) }}
{{- end }}
{{- end }}
{{- end }}
{{- toJson $known }}
{{- end }}

{{- define "ces.checkServiceAccounts" -}}
{{- with .Values.rpc.serviceAccountTokens }}
{{- if .enabled }}
{{- $owners := dict }}
{{- range include "ces.components" $ | fromJsonArray }}
{{- $account := include "ces.serviceAccount" (dict "root" $ "name" .name) }}
{{- with get $owners $account }}{{ fail (printf "rpc.serviceAccountTokens tells programs by their accounts, and %s is that of two: give each a serviceAccount of its own" $account) }}{{ end }}
{{- $_ := set $owners $account .name }}
{{- end }}
{{- end }}
{{- if and (not .enabled) (not .sharedTokens) }}{{ fail "rpc.serviceAccountTokens.sharedTokens is false and .enabled too: programs would have nothing to prove themselves with" }}{{ end }}
{{- if and .apiServer.enabled (not .enabled) }}{{ fail "rpc.serviceAccountTokens.apiServer is given, and .enabled is false" }}{{ end }}
{{- if and .apiServer.enabled .keysConfigMap }}{{ fail "rpc.serviceAccountTokens takes the keys from keysConfigMap or from apiServer: leave one out" }}{{ end }}
{{- if and .apiServer.enabled (not .apiServer.cidrs) $.Values.networkPolicy.enabled }}{{ fail "say in rpc.serviceAccountTokens.apiServer.cidrs where the API server is (kubectl get endpoints kubernetes), or no pod reaches it" }}{{ end }}
{{- end }}
{{- end }}
