{{/* Variables of a migration. Takes root, name, values of the component, and files to check Postgres with, or nothing. */}}
{{- define "ces.migrationEnvironment" -}}
{{- $bundled := .root.Values.postgres.cloudnativepg.enabled }}
{{- $role := include "ces.databaseRole" . }}
{{- $setting := printf "CES_%s_OWNER_DATABASE_URL" (upper .name) }}
- name: {{ $setting }}
  valueFrom:
    secretKeyRef:
      {{- if $bundled }}
      # What CloudNativePG draws for the owner.
      name: {{ include "ces.databaseName" . }}-app
      key: uri
      {{- else }}
      name: {{ .values.existingOwnerSecret | default (printf "%s-%s-owner" (include "ces.fullname" .root) .name) }}
      key: {{ $setting }}
      {{- end }}
- { name: CES_MIGRATION_LOCK_TIMEOUT_MS, value: "500" }
- { name: CES_MIGRATION_ATTEMPTS, value: "60" }
- { name: CES_MIGRATION_CONNECT_MS, value: {{ $bundled | ternary "3600000" "60000" | quote }} }
{{- if ne $role .name }}
- { name: CES_MIGRATION_ROLE, value: {{ $role | quote }} }
{{- end }}
{{- with .files }}
{{- $folder := include "ces.filesFolder" .volume }}
{{- range $setting, $key := .keys }}
- { name: {{ $setting }}, value: {{ $folder }}/{{ $key }} }
{{- end }}
{{- end }}
{{- end }}
