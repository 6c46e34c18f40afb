{{/* Of an object: (list $ "component"). */}}
{{- define "itembridge.labels" -}}
{{- $root := index . 0 -}}
helm.sh/chart: {{ $root.Chart.Name }}-{{ $root.Chart.Version }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
{{ include "itembridge.selector" . }}
{{- end }}

{{/* Of the pods of a component; a kind of worker is the third of the list. */}}
{{- define "itembridge.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: itembridge
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- if gt (len .) 2 }}
itembridge/workers: {{ index . 2 }}
{{- end }}
{{- end }}

{{- define "itembridge.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* What every pod has: nothing of the cluster, no root, a file system that only reads. */}}
{{- define "itembridge.pod" -}}
automountServiceAccountToken: false
# Else a Service that is called metrics would set METRICS_PORT.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- with .Values.scheduling }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "itembridge.container" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* All names in the Secret, with blanks between. */}}
{{- define "itembridge.secrets" -}}
{{- $names := list }}
{{- range include "itembridge.settings" . | fromYaml }}
{{- if hasPrefix "/etc/itembridge/secrets/" . }}{{ $names = append $names (base .) }}{{ end }}
{{- end }}
{{- join " " $names }}
{{- end }}

{{/* Of a container, (dict "root" $ "secrets" <names> "images" <whether it reads and writes images>); so are the volumes. */}}
{{- define "itembridge.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .secrets }}
- { name: secrets, mountPath: /etc/itembridge/secrets, readOnly: true }
{{- end }}
{{- range $folder, $secret := .root.Values.secretFolders }}
- { name: {{ $folder }}, mountPath: /etc/itembridge/{{ $folder }}, readOnly: true }
{{- end }}
{{- if and .images .root.Values.imagesClaim }}
- { name: images, mountPath: {{ (include "itembridge.settings" .root | fromYaml).IMAGE_STORE_DIR }} }
{{- end }}
{{- end }}

{{- define "itembridge.volumes" -}}
- name: tmp
  emptyDir: {}
{{- if .secrets }}
- name: secrets
  secret:
    secretName: {{ .root.Values.existingSecret }}
    defaultMode: 0440
    items:
    {{- range .secrets }}
      - { key: {{ . }}, path: {{ . }} }
    {{- end }}
{{- end }}
{{- range $folder, $secret := .root.Values.secretFolders }}
- name: {{ $folder }}
  secret: { secretName: {{ $secret }}, defaultMode: 0440 }
{{- end }}
{{- if and .images .root.Values.imagesClaim }}
- name: images
  persistentVolumeClaim: { claimName: {{ .root.Values.imagesClaim }} }
{{- end }}
{{- end }}

{{/* On as many nodes and zones as there are, never waiting for one: (list $ "component" "kind"). */}}
{{- define "itembridge.spread" -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  matchLabelKeys: [pod-template-hash]
  labelSelector:
    matchLabels: {{- include "itembridge.selector" $ | nindent 6 }}
{{- end }}
{{- end }}

{{/* Number of pods: (dict "root" $ "name" … "labels" (list …) "of" <the component's values>). */}}
{{- define "itembridge.numbers" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name }}
  labels: {{- include "itembridge.labels" .labels | nindent 4 }}
spec:
  maxUnavailable: 1
  # A pod that never gets ready does not hold up the drain of its node.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "itembridge.selector" .labels | nindent 6 }}
{{- if gt (int .of.maxReplicas) (int .of.replicas) }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .name }}
  labels: {{- include "itembridge.labels" .labels | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .name }} }
  minReplicas: {{ .of.replicas }}
  maxReplicas: {{ .of.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ .of.targetCpuPercent }} }
{{- end }}
{{- end }}

{{- define "itembridge.hook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation
{{- end }}
