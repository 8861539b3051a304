import { SERVICES } from '@ces/topology/services';
import type { AlertRule, RuleGroup } from './rule.ts';

/** Programs that must run. Without acquisition, sources become stale, which has its own alert. */
const NEEDED = SERVICES.map(({ name }) => name).filter((name) => name !== 'acquisition');

/** Only of the index that answers searches; the fill of a second index may lag. */
const INDEX_LAG = 'ces_index_lag_seconds{service!="search-fill"}';

const PROCESSES: readonly AlertRule[] = [
  page(
    'CesProgramDown',
    `max by (service) (up) == 0 or ${NEEDED.map((name) => `absent(up{service="${name}"})`).join(' or ')}`,
    {
      for: '3m',
      summary: 'No process of {{ $labels.service }} can be scraped.',
      runbook: 'target-down',
    },
  ),
  ticket('CesTargetDown', 'count by (service) (up == 0) unless on (service) max by (service) (up) == 0', {
    for: '10m',
    summary: 'A process of {{ $labels.service }} cannot be scraped; others of it can.',
    runbook: 'target-down',
  }),
  ticket('CesRestarts', 'sum by (service) (resets(process_uptime_seconds[1h])) > 3', {
    summary: 'Processes of {{ $labels.service }} end and begin again.',
    runbook: 'restarts',
  }),
  ticket(
    'CesEventLoopBusy',
    'max by (service) (nodejs_eventloop_utilization_ratio) > 0.9 or max by (service) (nodejs_eventloop_delay_p99_seconds) > 0.2',
    {
      for: '10m',
      summary: 'A process of {{ $labels.service }} has no processor time left: everything in it waits.',
      runbook: 'saturation',
    },
  ),
  ticket('CesCallsWait', 'sum(ces_calls_waiting) > sum(ces_calls_limit)', {
    for: '10m',
    summary: 'More calls wait for a slot at the gateway than run.',
    runbook: 'saturation',
  }),
  ticket('CesRunsFull', 'sum by (kind) (ces_runs_active) / sum by (kind) (ces_runs_limit) > 0.9', {
    for: '15m',
    summary: 'Nearly all slots of operations for runs of kind {{ $labels.kind }} are taken.',
    runbook: 'saturation',
  }),
  ticket('CesPoolExhausted', 'max by (db_client_connection_pool_name) (db_client_connection_pending_requests) > 20', {
    for: '5m',
    summary: 'Statements wait for a connection of the pool of {{ $labels.db_client_connection_pool_name }}.',
    runbook: 'pool-exhausted',
  }),
  page(
    'CesDatabaseAway',
    'max by (db_client_connection_pool_name, state) (ces_database_state{state=~"unreachable|read-only"}) > 0',
    {
      for: '2m',
      summary: 'The database of {{ $labels.db_client_connection_pool_name }} is {{ $labels.state }} for a process.',
      runbook: 'database-away',
    },
  ),
  ticket(
    'CesCertificateEnds',
    'min by (service, certificate, part) (ces_certificate_expires_at_seconds) - time() < 14 * 86400',
    {
      for: '30m',
      summary:
        'A certificate of {{ $labels.service }} ({{ $labels.certificate }}, {{ $labels.part }}) ends within fourteen days.',
      runbook: 'certificate-ends',
    },
  ),
];

const WORK: readonly AlertRule[] = [
  page(
    'CesOperationsStuck',
    'max by (state) (ces_operations_oldest_seconds{state=~"created|withdrawing|stored|failing"}) > 60',
    {
      for: '2m',
      summary: 'An operation has been between two states ({{ $labels.state }}) for over a minute.',
      runbook: 'operations-stuck',
    },
  ),
  page('CesJobsWait', 'max(ces_jobs_oldest_due_seconds) > 60', {
    for: '2m',
    summary: 'Accepted work has waited for a worker for over a minute.',
    runbook: 'jobs-wait',
  }),
  ticket('CesLeasesLost', 'sum(increase(ces_lease_lost_total[15m])) > 10', {
    summary: 'Workers lose their leases: they stall, or the database answers late.',
    runbook: 'leases-lost',
  }),
  page('CesNoLeader', 'max by (lease) (ces_lead_held) == 0', {
    for: '2m',
    summary: 'No process leads {{ $labels.lease }}: what one of many does is not done.',
    runbook: 'no-leader',
  }),
  page('CesIndexBehind', `max(${INDEX_LAG}) > 60 or absent(${INDEX_LAG})`, {
    for: '5m',
    summary: 'New evidence has not reached the index for over a minute, or no projector runs.',
    runbook: 'index-behind',
  }),
  ticket('CesSearchMonthsLeftOut', 'max(ces_search_memory_index_left_out) > 0', {
    for: '15m',
    summary: 'The oldest months of the index do not fit into the memory of search: searches leave them out.',
    runbook: 'search-months-left-out',
  }),
  ticket('CesSearchMemoryFull', 'max(ces_search_memory_index_size_bytes / ces_search_memory_index_limit_bytes) > 0.8', {
    for: '15m',
    summary: 'The index takes over 80 % of its memory: soon, searches leave out its oldest months.',
    runbook: 'search-months-left-out',
  }),
  page('CesOperationsHeadroom', 'max(ces_operations_partition_headroom) < 16777216', {
    for: '30m',
    summary: 'The next partition of operations is not made; without it no call can be accepted in some time.',
    runbook: 'operations-headroom',
  }),
  ticket(
    'CesPartitionsShort',
    'min by (table) (ces_partition_numbers_left) < 4194304 or min by (table) (ces_partition_days_left) < 14',
    {
      for: '30m',
      summary: 'The next partition of {{ $labels.table }} is not being made.',
      runbook: 'partitions-short',
    },
  ),
  page('CesRevocationLate', 'sum(rate(ces_authentication_stale_total[5m])) > 0', {
    for: '2m',
    summary: 'Credentials are judged by answers older than a second: a revoked one may still work, for 30 s at most.',
    runbook: 'revocation-late',
  }),
  ticket('CesSourceStale', 'max by (source) (ces_source_age_seconds / ces_source_interval_seconds) > 3', {
    for: '10m',
    summary: 'Source {{ $labels.source }} has not been read for three of its intervals.',
    runbook: 'source-stale',
  }),
  ticket('CesSourceDrifts', 'max by (source) (ces_source_drifting) > 0', {
    summary: 'Source {{ $labels.source }} no longer has the form that its connector knows.',
    runbook: 'source-drifts',
  }),
  ticket('CesSourceUndecodable', 'sum by (source) (increase(ces_source_undecodable_total[1d])) > 0', {
    summary: 'Source {{ $labels.source }} publishes documents whose bytes are not of their charset.',
    runbook: 'source-undecodable',
  }),
  ticket(
    'CesEvidenceWithheld',
    'sum(rate(ces_withheld_units_total[1h])) > 10 * sum(rate(ces_withheld_units_total[1d] offset 1h)) and sum(increase(ces_withheld_units_total[1h])) > 100',
    {
      summary: 'Far more evidence than usual is withheld from answers that were paid for.',
      runbook: 'evidence-withheld',
    },
  ),
];

const SUMS: readonly AlertRule[] = [
  ticket('CesHoldsOld', 'max(ces_holds_oldest_seconds) > 3600', {
    for: '5m',
    summary: 'Units have been held for over an hour, longer than any operation lives.',
    runbook: 'holds-old',
  }),
  page('CesLedgerDrift', 'max(ces_ledger_drift) != 0', {
    summary: 'The ledger’s counters differ from what its entries and holds add up to.',
    runbook: 'ledger-drift',
  }),
  ticket('CesLedgerUnchecked', 'max(ces_ledger_check_age_seconds) > 3600 or absent(ces_ledger_check_age_seconds)', {
    for: '10m',
    summary: 'The ledger’s counters have not all been compared with its entries and holds for over an hour.',
    runbook: 'ledger-unchecked',
  }),
  page('CesKeysWithoutPepper', 'max(ces_credentials_missing_pepper) > 0', {
    summary: 'API keys are refused, since the pepper that they need is not among the ledger’s settings.',
    runbook: 'keys-without-pepper',
  }),
  page('CesOperationsDrift', 'max(ces_operations_drift) != 0', {
    summary: 'Operations and ledger say different things of an operation.',
    runbook: 'operations-drift',
  }),
  page('CesNumbersReused', 'sum(increase(ces_ledger_mismatches_total[15m])) > 0', {
    summary:
      'Operations names operations that the ledger knows as others: it was restored, or a standby took over that lacked its end.',
    runbook: 'numbers-reused',
  }),
  ticket('CesSettlementsReversed', 'sum(increase(ces_settlement_reversed_total[15m])) > 0', {
    summary: 'Settlements were reversed because their operations failed or are lost.',
    runbook: 'settlements-reversed',
  }),
  ticket(
    'CesOperationsNotCompared',
    'min(ces_operations_compared_age_seconds) > 1800 or (max(up{service="operations"}) == 1 unless on () min(ces_operations_compared_age_seconds))',
    {
      for: '15m',
      summary: 'Operations have not been compared with the ledger for half an hour.',
      runbook: 'operations-not-compared',
    },
  ),
];

export const STATES: RuleGroup = { name: 'ces-state', rules: [...PROCESSES, ...WORK, ...SUMS] };

type Facts = Pick<AlertRule, 'summary' | 'runbook'> & { readonly for?: string };

function page(alert: string, expr: string, facts: Facts): AlertRule {
  return { alert, expr, for: '0m', severity: 'page', ...facts };
}

function ticket(alert: string, expr: string, facts: Facts): AlertRule {
  return { alert, expr, for: '0m', severity: 'ticket', ...facts };
}
