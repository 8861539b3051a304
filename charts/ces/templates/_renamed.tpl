{{/* Refuses names that values had before (files/renamed.yaml), with the names that they have now. */}}
{{- define "ces.checkNames" -}}
{{- $renamed := .Files.Get "files/renamed.yaml" | fromYaml }}
{{- $prefixes := dict "program" (list "defaults") "database" (list "postgres.cloudnativepg") "chart" (list "") }}
{{- range $name, $_ := .Values.components }}
{{- $_ := set $prefixes "program" (append $prefixes.program (printf "components.%s" $name)) }}
{{- end }}
{{- range $name, $_ := .Values.postgres.cloudnativepg.services }}
{{- $_ := set $prefixes "database" (append $prefixes.database (printf "postgres.cloudnativepg.services.%s" $name)) }}
{{- end }}
{{- $found := list }}
{{- range $group, $names := $renamed }}
{{- range $prefix := get $prefixes $group }}
{{- range $old, $new := $names }}
{{- $path := printf "%s.%s" $prefix $old | trimPrefix "." }}
{{- if include "ces.isGiven" (dict "values" $.Values "path" $path) }}
{{- $found = append $found (printf "%s: %s" $path (contains " " $new | ternary $new (printf "%s.%s" $prefix $new | trimPrefix "." | printf "use %s"))) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- if $found }}{{ fail (printf "values have other names in this version of the chart. %s" (join "; " $found)) }}{{ end }}
{{- end }}

{{/* "true" where the values have something at a path, else nothing. Takes values and path. */}}
{{- define "ces.isGiven" -}}
{{- $node := .values }}
{{- $isGiven := true }}
{{- range splitList "." .path }}
{{- if and $isGiven (kindIs "map" $node) (hasKey $node .) }}{{ $node = get $node . }}{{ else }}{{ $isGiven = false }}{{ end }}
{{- end }}
{{- if $isGiven }}true{{ end }}
{{- end }}
