import type { AlertCase } from './case.ts';

const HOUR = 60;
const WAL = 'cnpg_collector_pg_wal_archive_status{pod="FULLNAME-ledger-1",value="ready"}';
const DISK = 'persistentvolumeclaim="FULLNAME-ledger-1"';
const SEARCH = 'deployment="FULLNAME-search"';
const SCALER = 'horizontalpodautoscaler="FULLNAME-search"';
const SCALER_OF_KEDA = 'horizontalpodautoscaler="keda-hpa-FULLNAME-operations"';

export const PLATFORM_CASES: readonly AlertCase[] = [
  {
    alert: 'CesPodRestarts',
    series: {
      'kube_pod_container_status_restarts_total{pod="FULLNAME-search-1",container="search"}': '0x60 0+1x6 6x100',
    },
    quiet: [60, 62, 160],
    fires: [68],
  },
  {
    alert: 'CesReplicasMissing',
    series: {
      [`kube_deployment_spec_replicas{${SEARCH}}`]: '3x60',
      [`kube_deployment_status_replicas_available{${SEARCH}}`]: '3x9 2x29 3x20',
    },
    quiet: [9, 24, 41],
    fires: [26],
  },
  ...[SCALER, SCALER_OF_KEDA].map((scaler) => ({
    alert: 'CesScaledOut',
    series: {
      [`kube_horizontalpodautoscaler_status_current_replicas{${scaler}}`]: '9x9 10x49 9x20',
      [`kube_horizontalpodautoscaler_spec_max_replicas{${scaler}}`]: '10x80',
    },
    quiet: [9, 39, 61],
    fires: [41],
  })),
  {
    alert: 'CesDiskFull',
    series: {
      [`kubelet_volume_stats_available_bytes{${DISK}}`]: '5x9 4.9x19 50x40',
      [`kubelet_volume_stats_capacity_bytes{${DISK}}`]: '100x70',
    },
    quiet: [9, 14, 31],
    fires: [16],
  },
  // The disk loses a hundredth in eight hours: three hundredths a day.
  {
    alert: 'CesDiskFills',
    series: {
      [`kubelet_volume_stats_available_bytes{${DISK}}`]: `11-0.002x${12 * HOUR}`,
      [`kubelet_volume_stats_capacity_bytes{${DISK}}`]: `100x${12 * HOUR}`,
    },
    quiet: [20],
    fires: [8 * HOUR],
  },
  {
    alert: 'CesDiskFills',
    series: {
      [`kubelet_volume_stats_available_bytes{${DISK}}`]: `25x${12 * HOUR}`,
      [`kubelet_volume_stats_capacity_bytes{${DISK}}`]: `100x${12 * HOUR}`,
    },
    quiet: [8 * HOUR],
    fires: [],
  },
  {
    alert: 'CesReplicationLags',
    series: { 'cnpg_pg_replication_lag{pod="FULLNAME-ledger-2"}': '30x9 31x19 30x20' },
    quiet: [9, 14, 31],
    fires: [16],
  },
  {
    alert: 'CesStandbyMissing',
    series: {
      'cnpg_pg_replication_streaming_replicas{pod="FULLNAME-ledger-1"}': '2x9 0x19 1x20',
      'cnpg_pg_replication_in_recovery{pod="FULLNAME-ledger-1"}': '0x60',
      'cnpg_collector_sync_replicas{pod="FULLNAME-ledger-1",value="observed"}': '1x60',
      'cnpg_pg_replication_streaming_replicas{pod="FULLNAME-ledger-2"}': '0x60',
      'cnpg_pg_replication_in_recovery{pod="FULLNAME-ledger-2"}': '1x60',
      'cnpg_collector_sync_replicas{pod="FULLNAME-ledger-2",value="observed"}': '1x60',
    },
    quiet: [9, 11, 31],
    fires: [13],
  },
  // promtool starts the clock at 0, so the last backup is as old as the case.
  {
    alert: 'CesBackupOld',
    series: { 'cnpg_collector_last_available_backup_timestamp{pod="FULLNAME-ledger-1"}': `1x${40 * HOUR}` },
    quiet: [36 * HOUR],
    fires: [37 * HOUR],
  },
  // CloudNativePG's own metric stays 0 where a plug-in makes the backups.
  {
    alert: 'CesBackupOld',
    series: {
      'cnpg_collector_last_available_backup_timestamp{pod="FULLNAME-ledger-1"}': `0x${40 * HOUR}`,
      'barman_cloud_cloudnative_pg_io_last_available_backup_timestamp{pod="FULLNAME-ledger-1"}': `86400x${40 * HOUR}`,
    },
    quiet: [37 * HOUR],
    fires: [],
  },
  {
    alert: 'CesBackupOld',
    series: { 'cnpg_collector_last_available_backup_timestamp{pod="FULLNAME-search-1"}': `0x${40 * HOUR}` },
    quiet: [37 * HOUR, 39 * HOUR],
    fires: [],
  },
  { alert: 'CesArchiveWaits', series: { [WAL]: '10x9 11x29 10x20' }, quiet: [9, 24, 41], fires: [26] },
];
