{{/* The CloudNativePG cluster of a service: what holds for all, and on top its own. Takes root and name. */}}
{{- define "ces.database" -}}
{{- $all := .root.Values.postgres.cloudnativepg }}
{{- mergeOverwrite (omit (deepCopy $all) "services") (index $all.services .name | default dict | deepCopy) | toJson }}
{{- end }}

{{- define "ces.databaseName" -}}
{{ include "ces.fullname" .root }}-{{ .name }}
{{- end }}

{{/*
What a program's ServiceAccount and disruption budget are called: CloudNativePG calls those of a database's servers as its cluster, which
is called as the program, and takes what is called so for its own. Takes root and name.
*/}}
{{- define "ces.nameBesideDatabase" -}}
{{- include "ces.fullname" .root }}-{{ .name }}{{ if and (include "ces.hasDatabase" .) .root.Values.postgres.cloudnativepg.enabled }}-program{{ end }}
{{- end }}

{{/* "true" where a program has a database, else nothing. Takes root and name. */}}
{{- define "ces.hasDatabase" -}}
{{- range include "ces.components" .root | fromJsonArray }}{{ if and (eq .name $.name) .database }}true{{ end }}{{ end }}
{{- end }}

{{/* The Service that leads to a database of CloudNativePG, through the pooler where there is one. Takes root and name. */}}
{{- define "ces.databaseHost" -}}
{{ include "ces.databaseName" . }}-{{ (include "ces.database" . | fromJson).pooler.enabled | ternary "pooler" "rw" }}
{{- end }}

{{/* The role that a service runs as. Takes root and name. */}}
{{- define "ces.databaseRole" -}}
{{ replace "{program}" .name .root.Values.postgres.role }}
{{- end }}

{{/* Left when helm or Argo CD remove the release: what is in it exists nowhere else. */}}
{{- define "ces.keptAlways" -}}
annotations:
  helm.sh/resource-policy: keep
  argocd.argoproj.io/sync-options: Delete=false,Prune=false
{{- end }}

{{/*
What a service asks of its sessions, and PgBouncer in transaction mode cannot pass on: given to the role, so that a pooler can come
at any time. Takes name and role.
*/}}
{{- define "ces.roleSettings" -}}
{{- $settings := dict "statement_timeout" "30s" "lock_timeout" "10s" "idle_in_transaction_session_timeout" (has .name (list "operations" "acquisition") | ternary "30s" "5s") }}
{{- if eq .name "ledger" }}
{{- $_ := merge $settings (dict "plan_cache_mode" "force_generic_plan" "max_parallel_workers_per_gather" "0" "jit" "off") }}
{{- end }}
{{- if eq .name "operations" }}{{ $_ := set $settings "enable_seqscan" "off" }}{{ end }}
{{- if eq .name "lookup" }}
{{- range list "enable_hashjoin" "enable_mergejoin" "enable_seqscan" "jit" }}{{ $_ := set $settings . "off" }}{{ end }}
{{- $_ := merge $settings (dict "join_collapse_limit" "1" "from_collapse_limit" "1" "plan_cache_mode" "force_generic_plan") }}
{{- end }}
{{- range $setting, $value := $settings }}
- alter role {{ $.role | quote }} set {{ $setting }} = '{{ $value }}'
{{- end }}
{{- end }}

{{/*
Refuses an installation whose programs can open more connections to a database than its server takes: then calls fail under load and
in the middle of an upgrade, and no earlier.
*/}}
{{- define "ces.checkConnections" -}}
{{- $postgres := .Values.postgres }}
{{- $together := 0 }}
{{- $parts := list }}
{{- range include "ces.components" . | fromJsonArray }}
{{- if .database }}
{{- $values := include "ces.values" (dict "root" $ "name" .name) | fromJson }}
{{- $setting := printf "CES_%s_DATABASE_POOL" (upper .name) }}
{{- $pool := 0 }}
{{- range .settings }}{{ if eq .name $setting }}{{ $pool = int .default }}{{ end }}{{ end }}
{{- $pool = int (index (include "ces.settings" (dict "root" $ "values" $values) | fromJson) $setting | default $pool) }}
{{- $each := add $pool .connectionsBesidePool }}
{{- $pods := $values.autoscaling.enabled | ternary (max (int $values.replicaCount) (int $values.autoscaling.maxReplicas)) (int $values.replicaCount) }}
{{- /* In an upgrade pods come before others go, and these end what they have begun. */}}
{{- $surge := dig "rollingUpdate" "maxSurge" 1 ($values.strategy | default dict) | toString }}
{{- if hasSuffix "%" $surge }}{{ $surge = divf (mulf $pods (trimSuffix "%" $surge | float64)) 100 | ceil | int }}{{ else }}{{ $surge = int $surge }}{{ end }}
{{- if eq (dig "type" "" ($values.strategy | default dict)) "Recreate" }}{{ $surge = 0 }}{{ end }}
{{- $more := mul 2 $surge }}
{{- /* One that fills the other engine, and is gone before another comes. */}}
{{- if and (eq .name "search") $.Values.search.fill }}{{ $pods = add $pods 1 }}{{ end }}
{{- $programs := mul (add $pods $more) $each }}
{{- $migration := $.Values.migrations.enabled | ternary 1 0 }}
{{- $asked := add $programs $migration }}
{{- $sum := printf "%s can open %d connections (%d pods and %d more in an upgrade, each %d of its pool and %v beside, and %d of a migration)" .name $asked $pods $more $pool .connectionsBesidePool $migration }}
{{- $lower := printf "lower its replicaCount or %s" $setting }}
{{- if $postgres.cloudnativepg.enabled }}
{{- $database := include "ces.database" (dict "root" $ "name" .name) | fromJson }}
{{- $most := int $database.maxConnections }}
{{- $reserved := add (index $database.parameters "superuser_reserved_connections" | default 3 | int) (index $database.parameters "reserved_connections" | default 0 | int) }}
{{- $name := printf "postgres.cloudnativepg.services.%s" .name }}
{{- with $database.pooler }}
{{- if .enabled }}
{{- if gt $programs (int .maxClientConnections) }}{{ fail (printf "%s, and each process of its pooler takes %d: raise %s.pooler.maxClientConnections, or %s" $sum (int .maxClientConnections) $name $lower) }}{{ end }}
{{- $asked = add (mul (add (int .instances) 1) (int .poolSize)) $migration }}
{{- $sum = printf "the pooler of the database can open %d connections (%d processes and 1 more in an upgrade, each %d, and %d of a migration)" $asked (int .instances) (int .poolSize) $migration }}
{{- $lower = printf "lower %s.pooler.poolSize" $name }}
{{- else }}
{{- $lower = printf "%s, or turn on %s.pooler" $lower $name }}
{{- end }}
{{- end }}
{{- if gt $asked (sub $most $reserved) }}{{ fail (printf "%s, and its server takes %d (%d less %d reserved): raise %s.maxConnections to %d, %s" $sum (sub $most $reserved) $most $reserved $name (add $asked $reserved) $lower) }}{{ end }}
{{- else if hasKey $postgres.maxConnectionsOf .name }}
{{- $most := int (index $postgres.maxConnectionsOf .name) }}
{{- if gt $asked (sub $most 3) }}{{ fail (printf "%s, and its server takes %d (%d less 3 reserved): raise max_connections there and postgres.maxConnectionsOf.%s to %d, or %s" $sum (sub $most 3) $most .name (add $asked 3) $lower) }}{{ end }}
{{- else }}
{{- $together = add $together $asked }}
{{- $parts = append $parts (printf "%s %d" .name $asked) }}
{{- end }}
{{- end }}
{{- end }}
{{- $most := int $postgres.maxConnections }}
{{- if and $most (gt $together (sub $most 3)) }}{{ fail (printf "the programs can open %d connections in an upgrade (%s), and the server of their databases takes %d (%d less 3 reserved): raise max_connections there and postgres.maxConnections to %d, lower replicaCount or CES_<PROGRAM>_DATABASE_POOL, or say in postgres.maxConnectionsOf which have a server of their own" $together (join ", " $parts) (sub $most 3) $most (add $together 3)) }}{{ end }}
{{- end }}

{{/* Refuses values of databases that cannot be meant, each with a sentence. */}}
{{- define "ces.checkDatabases" -}}
{{- include "ces.checkConnections" . }}
{{- if .Values.postgres.cloudnativepg.enabled }}
{{- range include "ces.components" . | fromJsonArray }}
{{- if .database }}
{{- $database := include "ces.database" (dict "root" $ "name" .name) | fromJson }}
{{- $values := include "ces.values" (dict "root" $ "name" .name) | fromJson }}
{{- $name := printf "postgres.cloudnativepg.services.%s" .name }}
{{- if $values.existingOwnerSecret }}{{ fail (printf "components.%s.existingOwnerSecret is given, and CloudNativePG draws the password of the owner itself: leave it out" .name) }}{{ end }}
{{- if hasKey $database.parameters "max_connections" }}{{ fail (printf "max_connections is no parameter here, since the connections of the programs are counted against it: set %s.maxConnections" $name) }}{{ end }}
{{- if ge (int $database.synchronousReplicas) (int $database.instances) }}{{ fail (printf "the database of %s has %d instances, and %d of them are to confirm each commit beside the first: raise %s.instances, or lower its synchronousReplicas" .name (int $database.instances) (int $database.synchronousReplicas) $name) }}{{ end }}
{{- if and $database.failoverQuorum (eq (int $database.synchronousReplicas) 0) }}{{ fail (printf "%s.failoverQuorum counts replicas that confirm commits, and synchronousReplicas is 0" $name) }}{{ end }}
{{- if and $database.backup.enabled (not $database.backup.destinationPath) }}{{ fail (printf "%s.backup is on, and its destinationPath says not where to, such as s3://bucket/ces" $name) }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
