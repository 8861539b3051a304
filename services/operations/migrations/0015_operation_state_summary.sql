-- migrate: without transaction
-- An update of `operation` writes no index when no column that it changes is in one. Summaries of ranges of pages do not count
-- among those: this one is for the sweeper and the gauges of the release before, which look for operations by their state. The
-- next release drops it.
create index concurrently if not exists operation_state_summary on operation
  using brin (state text_bloom_ops (n_distinct_per_range = 16, false_positive_rate = 0.001));
