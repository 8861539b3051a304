import type { AlertCase } from './case.ts';

function between(good: number, bad: number): string {
  return `${good}x9 ${bad}x9 ${good}x40`;
}

/** A counter that grows by `by` a minute for ten minutes, from minute ten. */
function growing(by: number): string {
  return `0x9 ${by}+${by}x9 ${by * 10}x60`;
}

/** Adds a target that is up for each program that must run, apart from the ledger. */
function everyUp(series: Readonly<Record<string, string>>): Record<string, string> {
  const others = ['gateway', 'operations', 'lookup', 'search'].map(
    (name) => [`up{service="${name}"}`, '1x60'] as const,
  );
  return { ...Object.fromEntries(others), ...series };
}

const USUAL = 240;

export const STATE_CASES: readonly AlertCase[] = [
  {
    alert: 'CesProgramDown',
    series: everyUp({ 'up{service="ledger",pod="a"}': between(1, 0), 'up{service="ledger",pod="b"}': between(1, 0) }),
    quiet: [9, 11, 21],
    fires: [14],
  },
  // The pods and their targets are gone; acquisition may be absent.
  {
    alert: 'CesProgramDown',
    series: everyUp({ 'up{service="ledger"}': '1x9 _x20 1x10' }),
    quiet: [9, 35],
    fires: [20],
  },
  {
    alert: 'CesProgramDown',
    series: everyUp({ 'up{service="ledger",pod="a"}': '0x60', 'up{service="ledger",pod="b"}': '1x60' }),
    quiet: [30],
    fires: [],
  },
  {
    alert: 'CesTargetDown',
    series: { 'up{service="ledger",pod="a"}': '1x9 0x20 1x20', 'up{service="ledger",pod="b"}': '1x60' },
    quiet: [9, 19, 31],
    fires: [21],
  },
  { alert: 'CesTargetDown', series: { 'up{service="ledger"}': '0x60' }, quiet: [30], fires: [] },
  {
    alert: 'CesRestarts',
    series: { 'process_uptime_seconds{service="search"}': '60+60x9 30 60 30 60 30 60 30 60+60x100' },
    quiet: [9, 14, 90],
    fires: [20],
  },
  {
    alert: 'CesEventLoopBusy',
    series: { 'nodejs_eventloop_utilization_ratio{service="search"}': '0.9x9 0.91x19 0.9x40' },
    quiet: [9, 19, 31],
    fires: [21],
  },
  {
    alert: 'CesEventLoopBusy',
    series: { 'nodejs_eventloop_delay_p99_seconds{service="search"}': '0.2x9 0.21x19 0.2x40' },
    quiet: [9, 19, 31],
    fires: [21],
  },
  {
    alert: 'CesCallsWait',
    series: { ces_calls_waiting: '4x9 5x19 4x40', ces_calls_limit: '4x70' },
    quiet: [9, 19, 31],
    fires: [21],
  },
  {
    alert: 'CesRunsFull',
    series: { 'ces_runs_active{kind="waited"}': '14x9 15x29 14x40', 'ces_runs_limit{kind="waited"}': '16x80' },
    quiet: [9, 24, 41],
    fires: [26],
  },
  {
    alert: 'CesOperationsStuck',
    series: { 'ces_operations_oldest_seconds{state="stored"}': between(0, 61) },
    quiet: [9, 11, 21],
    fires: [13],
  },
  {
    alert: 'CesOperationsStuck',
    series: { 'ces_operations_oldest_seconds{state="accepted"}': '900x60' },
    quiet: [30],
    fires: [],
  },
  { alert: 'CesJobsWait', series: { ces_jobs_oldest_due_seconds: between(60, 61) }, quiet: [9, 11, 21], fires: [13] },
  { alert: 'CesHoldsOld', series: { ces_holds_oldest_seconds: between(3600, 3601) }, quiet: [9, 14, 21], fires: [16] },
  { alert: 'CesLedgerDrift', series: { ces_ledger_drift: between(0, 1) }, quiet: [9, 21], fires: [10, 19] },
  {
    alert: 'CesLedgerUnchecked',
    series: { ces_ledger_check_age_seconds: '3600x9 3601x20 10x40' },
    quiet: [9, 18, 31],
    fires: [21],
  },
  { alert: 'CesLedgerUnchecked', series: { ces_ledger_check_age_seconds: '10x9 _x40' }, quiet: [9, 18], fires: [30] },
  {
    alert: 'CesKeysWithoutPepper',
    series: { ces_credentials_missing_pepper: between(0, 1) },
    quiet: [9, 21],
    fires: [10, 19],
  },
  { alert: 'CesOperationsDrift', series: { ces_operations_drift: between(0, 1) }, quiet: [9, 21], fires: [10, 19] },
  // A process that has not compared yet exports no series. One process with a difference is enough.
  { alert: 'CesOperationsDrift', series: { 'ces_operations_drift{instance="a"}': '0x60' }, quiet: [30], fires: [] },
  {
    alert: 'CesNumbersReused',
    series: { 'ces_ledger_mismatches_total{call="reserve",field="identity"}': growing(1) },
    quiet: [9, 40],
    fires: [11, 20],
  },
  {
    alert: 'CesSettlementsReversed',
    series: { ces_settlement_reversed_total: growing(1) },
    quiet: [9, 40],
    fires: [11, 20],
  },
  {
    alert: 'CesOperationsNotCompared',
    series: { ces_operations_compared_age_seconds: between(1800, 1801) },
    quiet: [9, 21],
    fires: [],
  },
  {
    alert: 'CesOperationsNotCompared',
    series: { ces_operations_compared_age_seconds: '1801x60' },
    quiet: [14],
    fires: [16],
  },
  {
    alert: 'CesOperationsNotCompared',
    series: { 'up{job="ces-operations",service="operations"}': '1x60' },
    quiet: [14],
    fires: [16],
  },
  {
    alert: 'CesOperationsHeadroom',
    series: { ces_operations_partition_headroom: '16777216x9 16777215x50' },
    quiet: [39],
    fires: [41],
  },
  {
    alert: 'CesRevocationLate',
    series: { ces_authentication_stale_total: growing(1) },
    quiet: [9, 11, 30],
    fires: [14],
  },
  { alert: 'CesLeasesLost', series: { ces_lease_lost_total: growing(2) }, quiet: [9, 12, 40], fires: [18] },
  {
    alert: 'CesNoLeader',
    series: {
      'ces_lead_held{lease="sweeper",instance="a"}': between(1, 0),
      'ces_lead_held{lease="sweeper",instance="b"}': '0x60',
    },
    quiet: [9, 11, 21],
    fires: [13],
  },
  { alert: 'CesIndexBehind', series: { ces_index_lag_seconds: between(60, 61) }, quiet: [9, 14, 21], fires: [16] },
  {
    alert: 'CesIndexBehind',
    series: {
      'ces_index_lag_seconds{service="search"}': '1x60',
      'ces_index_lag_seconds{service="search-fill"}': '9000x60',
    },
    quiet: [30],
    fires: [],
  },
  {
    alert: 'CesSearchMonthsLeftOut',
    series: {
      'ces_search_memory_index_left_out{pod="a"}': '0x60',
      'ces_search_memory_index_left_out{pod="b"}': '0x9 5x60',
    },
    quiet: [9, 24],
    fires: [26],
  },
  {
    alert: 'CesSearchMemoryFull',
    series: {
      'ces_search_memory_index_size_bytes{pod="a"}': '8000x60',
      'ces_search_memory_index_limit_bytes{pod="a"}': '10000x60',
      'ces_search_memory_index_size_bytes{pod="b"}': '8000x9 8001x60',
      'ces_search_memory_index_limit_bytes{pod="b"}': '10000x60',
    },
    quiet: [9, 24],
    fires: [26],
  },
  { alert: 'CesIndexBehind', series: { ces_index_lag_seconds: '0x9 _x20' }, quiet: [9, 14], fires: [25] },
  {
    alert: 'CesDatabaseAway',
    series: {
      'ces_database_state{db_client_connection_pool_name="ledger",state="unreachable"}': between(0, 1),
      'ces_database_state{db_client_connection_pool_name="ledger",state="saturated"}': '1x60',
    },
    quiet: [9, 11, 21],
    fires: [13],
  },
  {
    alert: 'CesDatabaseAway',
    series: { 'ces_database_state{db_client_connection_pool_name="ledger",state="read-only"}': between(0, 1) },
    quiet: [9, 11, 21],
    fires: [13],
  },
  {
    alert: 'CesPartitionsShort',
    series: { 'ces_partition_numbers_left{table="change"}': '4194304x9 4194303x39 20000000x40' },
    quiet: [9, 39, 50],
    fires: [41],
  },
  {
    alert: 'CesPartitionsShort',
    series: { 'ces_partition_days_left{table="raw_record"}': '14x9 13.9x39 60x40' },
    quiet: [9, 39, 50],
    fires: [41],
  },
  {
    alert: 'CesCertificateEnds',
    // Fourteen days are left after twenty minutes; the certificate is renewed after eighty.
    series: {
      'ces_certificate_expires_at_seconds{service="ledger",certificate="rpc",part="own"}': `${14 * 86_400 + 1_200}x80 9000000x30`,
    },
    quiet: [19, 45, 90],
    fires: [55],
  },
  {
    alert: 'CesPoolExhausted',
    series: { 'db_client_connection_pending_requests{db_client_connection_pool_name="ledger"}': between(20, 21) },
    quiet: [9, 14, 21],
    fires: [16],
  },
  {
    alert: 'CesSourceStale',
    series: { 'ces_source_age_seconds{source="fbo"}': '181x60', 'ces_source_interval_seconds{source="fbo"}': '60x60' },
    quiet: [9],
    fires: [11],
  },
  {
    alert: 'CesSourceStale',
    series: { 'ces_source_age_seconds{source="fbo"}': '180x60', 'ces_source_interval_seconds{source="fbo"}': '60x60' },
    quiet: [30],
    fires: [],
  },
  {
    alert: 'CesSourceDrifts',
    series: { 'ces_source_drifting{source="fbo"}': between(0, 1) },
    quiet: [9, 21],
    fires: [10],
  },
  {
    alert: 'CesSourceUndecodable',
    series: { 'ces_source_undecodable_total{source="fbo"}': `0x9 1x${24 * 60 + 20}` },
    quiet: [9, 24 * 60 + 12],
    fires: [12],
  },
  {
    alert: 'CesEvidenceWithheld',
    // One unit a minute for six hours, then twenty a minute.
    series: { ces_withheld_units_total: `0+1x${USUAL + 119} ${USUAL + 139}+20x200` },
    quiet: [USUAL, USUAL + 119],
    fires: [USUAL + 200],
  },
  {
    alert: 'CesEvidenceWithheld',
    series: { ces_withheld_units_total: `0+20x${USUAL + 300}` },
    quiet: [USUAL + 200],
    fires: [],
  },
];
