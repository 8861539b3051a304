-- What was settled and is taken back. An entry is never changed: this row stands against it, with its units negative, and counts
-- at the instant at which the entry counts, so that both leave an interval together and no sum is ever below zero. Counters of a
-- subscription stay sums of entries; what is reversed is subtracted where they are read.
create table reversal (
  operation_id bigint primary key,
  subscription_id bigint not null constraint reversal_subscription_fkey references subscription,
  settled_at timestamptz not null,
  reversed_at timestamptz not null default clock_timestamp(),
  request_units bigint not null,
  delivered_units bigint not null,
  fresh_evidence_units bigint not null,
  caller text not null,
  reason text not null constraint reversal_reason_length check (char_length(reason) between 1 and 200),
  constraint reversal_units_negative check (greatest(request_units, delivered_units, fresh_evidence_units) <= 0)
);
create index reversal_instant_idx on reversal (subscription_id, settled_at)
  include (request_units, delivered_units, fresh_evidence_units);

grant select, insert on reversal to ledger;
