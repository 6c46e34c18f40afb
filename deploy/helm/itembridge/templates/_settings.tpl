{{/* deploy/app.env, then the values' settings, then what only the chart knows. */}}
{{- define "itembridge.settings" -}}
{{- $settings := dict }}
{{- range regexFindAll "(?m)^[A-Z][A-Z0-9_]*=.*$" (.Files.Get "files/app.env") -1 }}
{{- $pair := splitn "=" 2 . }}
{{- $_ := set $settings $pair._0 ($pair._1 | replace "/run/secrets/" "/etc/itembridge/secrets/") }}
{{- end }}
{{- range $name, $value := .Values.settings }}
{{- $_ := set $settings $name (kindIs "float64" $value | ternary ($value | int64 | toString) ($value | toString)) }}
{{- end }}
{{- $workers := 0 }}
{{- range include "itembridge.workers" . | fromYaml }}
{{- $workers = add $workers (max .replicas .maxReplicas) }}
{{- end }}
{{- $api := include "itembridge.api" . | fromYaml }}
{{- $_ := set $settings "API_PROCESSES" (max $api.replicas $api.maxReplicas | toString) }}
{{- $_ := set $settings "WORKER_PROCESSES" ($workers | toString) }}
{{- range $name, $value := $settings }}
{{- $folder := regexReplaceAll "^/etc/itembridge/([^/]+)/.*$" $value "${1}" }}
{{- if not (or (eq $folder $value) (eq $folder "secrets") (hasKey $.Values.secretFolders $folder)) }}
{{- fail (printf "%s names a file in the folder %s, which is not in secretFolders" $name $folder) }}
{{- end }}
{{- end }}
{{- toYaml $settings }}
{{- end }}

{{- define "itembridge.api" -}}
{{- mergeOverwrite (deepCopy .Values.apiDefaults) .Values.api | toYaml }}
{{- end }}

{{/* Each kind with what it has by default. Fails where a queue or a loop would stay without a worker: its work would wait for ever. */}}
{{- define "itembridge.workers" -}}
{{- $kinds := dict }}
{{- $queues := list }}
{{- $loops := list }}
{{- range $name, $kind := .Values.workers | default (dict "all" dict) }}
{{- $whole := mergeOverwrite (deepCopy $.Values.workerDefaults) ($kind | default dict) }}
{{- $_ := set $kinds $name $whole }}
{{- $queues = concat $queues ($whole.queues | default (include "itembridge.queues" $ | splitList " ")) }}
{{- $loops = concat $loops ($whole.loops | default (include "itembridge.loops" $ | splitList " ")) }}
{{- end }}
{{- range include "itembridge.queues" . | splitList " " }}
{{- if not (has . $queues) }}{{ fail (printf "no kind of worker serves the queue %s" .) }}{{ end }}
{{- end }}
{{- range include "itembridge.loops" . | splitList " " }}
{{- if not (has . $loops) }}{{ fail (printf "no kind of worker runs the loop %s" .) }}{{ end }}
{{- end }}
{{- toYaml $kinds }}
{{- end }}

{{- define "itembridge.queues" -}}
items images enrichment marketplace deliveries attempts receivers bulks
{{- end }}

{{- define "itembridge.loops" -}}
relay resume-reconnected look-at-sellers watch-tokens collect-images number-events reconcile-subscriptions
{{- end }}
