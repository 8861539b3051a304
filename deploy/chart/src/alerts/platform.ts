import { DATABASE_SERVICES, SERVICES } from '@ces/topology/services';
import type { AlertRule, RuleGroup } from './rule.ts';

/** Helm replaces FULLNAME, so releases with longer names do not match. */
const PROGRAM = `FULLNAME-(${SERVICES.map(({ name }) => name).join('|')})`;
const DATABASE = `FULLNAME-(${DATABASE_SERVICES.map(({ name }) => name).join('|')})`;
const PODS = `pod=~"${PROGRAM}-.*"`;
const DATABASE_PODS = `pod=~"${DATABASE}-[0-9]+"`;
const DEPLOYMENTS = `deployment=~"${PROGRAM}"`;
/** KEDA prefixes the name of the HorizontalPodAutoscaler that it makes for a ScaledObject. */
const SCALERS = `horizontalpodautoscaler=~"${PROGRAM}|keda-hpa-${PROGRAM}"`;
const VOLUMES = `persistentvolumeclaim=~"${DATABASE}-[0-9]+(-.*)?"`;

/** Databases that need a backup. The search index does not: it can be rebuilt from the record. */
const SAVED = `FULLNAME-(${DATABASE_SERVICES.filter(({ name }) => name !== 'search')
  .map(({ name }) => name)
  .join('|')})-[0-9]+`;

/** The newest value by database. CloudNativePG names a pod by its database and a number. */
function byDatabase(metric: string): string {
  return `max by (database) (label_replace(${metric}{pod=~"${SAVED}"}, "database", "$1", "pod", "${SAVED}"))`;
}

const LAST_BACKUP = `${byDatabase('barman_cloud_cloudnative_pg_io_last_available_backup_timestamp')} or ${byDatabase('cnpg_collector_last_available_backup_timestamp')}`;

const KUBE_STATE_METRICS: readonly AlertRule[] = [
  {
    alert: 'CesPodRestarts',
    expr: `sum by (pod) (increase(kube_pod_container_status_restarts_total{${PODS}}[1h])) > 3`,
    for: '0m',
    severity: 'ticket',
    summary: 'Pod {{ $labels.pod }} ends and begins again.',
    runbook: 'restarts',
  },
  {
    alert: 'CesReplicasMissing',
    expr: `kube_deployment_spec_replicas{${DEPLOYMENTS}} > on (deployment) kube_deployment_status_replicas_available{${DEPLOYMENTS}}`,
    for: '15m',
    severity: 'ticket',
    summary: '{{ $labels.deployment }} has fewer pods that are ready than it should have.',
    runbook: 'restarts',
  },
  {
    alert: 'CesScaledOut',
    expr: `kube_horizontalpodautoscaler_status_current_replicas{${SCALERS}} >= on (horizontalpodautoscaler) kube_horizontalpodautoscaler_spec_max_replicas{${SCALERS}}`,
    for: '30m',
    severity: 'ticket',
    summary: '{{ $labels.horizontalpodautoscaler }} has as many pods as it may have, and asks for no fewer.',
    runbook: 'saturation',
  },
];

const FREE = `kubelet_volume_stats_available_bytes{${VOLUMES}} / kubelet_volume_stats_capacity_bytes{${VOLUMES}}`;

const KUBELET: readonly AlertRule[] = [
  {
    alert: 'CesDiskFull',
    expr: `min by (persistentvolumeclaim) (${FREE}) < 0.05`,
    for: '5m',
    severity: 'page',
    summary: 'Less than a twentieth of {{ $labels.persistentvolumeclaim }} is free: a database without room stops.',
    runbook: 'disk-fills',
  },
  {
    alert: 'CesDiskFills',
    expr: `min by (persistentvolumeclaim) (${FREE}) < 0.3 and min by (persistentvolumeclaim) (predict_linear(kubelet_volume_stats_available_bytes{${VOLUMES}}[6h], 4 * 86400)) < 0`,
    for: '30m',
    severity: 'ticket',
    summary: '{{ $labels.persistentvolumeclaim }} is full within four days if it goes on as in the last six hours.',
    runbook: 'disk-fills',
  },
];

const CLOUDNATIVEPG: readonly AlertRule[] = [
  {
    alert: 'CesReplicationLags',
    expr: `max by (pod) (cnpg_pg_replication_lag{${DATABASE_PODS}}) > 30`,
    for: '5m',
    severity: 'ticket',
    summary: 'Standby {{ $labels.pod }} is more than half a minute behind.',
    runbook: 'replication-lags',
  },
  {
    alert: 'CesStandbyMissing',
    expr: `(cnpg_pg_replication_streaming_replicas{${DATABASE_PODS}} and on (pod) cnpg_pg_replication_in_recovery{${DATABASE_PODS}} == 0) < on (pod) cnpg_collector_sync_replicas{${DATABASE_PODS},value="observed"}`,
    for: '2m',
    severity: 'page',
    summary: 'Primary {{ $labels.pod }} has fewer standbys than each commit waits for: nothing can be written.',
    runbook: 'replication-lags',
  },
  {
    alert: 'CesBackupOld',
    expr: `time() - (${LAST_BACKUP}) > 36 * 3600`,
    for: '30m',
    severity: 'ticket',
    summary: 'The last whole backup of {{ $labels.database }} is older than a day and a half, or there is none.',
    runbook: 'backup-old',
  },
  {
    alert: 'CesArchiveWaits',
    expr: `max by (pod) (cnpg_collector_pg_wal_archive_status{${DATABASE_PODS},value="ready"}) > 10`,
    for: '15m',
    severity: 'ticket',
    summary:
      'The log of {{ $labels.pod }} is not archived: it could not be restored to this moment, and its disk fills.',
    runbook: 'backup-old',
  },
];

/** Each group exists only where the values say that Prometheus scrapes its exporter. */
export const PLATFORM: readonly RuleGroup[] = [
  { name: 'ces-kube-state-metrics', needs: 'kubeStateMetrics', rules: KUBE_STATE_METRICS },
  { name: 'ces-kubelet', needs: 'kubelet', rules: KUBELET },
  { name: 'ces-cloudnativepg', needs: 'cloudnativepg', rules: CLOUDNATIVEPG },
];
