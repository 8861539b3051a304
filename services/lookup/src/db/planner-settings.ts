/**
 * Statements name their tables in the order of their keys, and the planner must keep that order.
 * During a bulk import its statistics are stale and it reverses joins: reading 20 documents took 7
 * s (measured).
 */
export const PLANNER_SETTINGS = {
  join_collapse_limit: '1',
  from_collapse_limit: '1',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  jit: 'off',
  // A custom plan over partitions costs more than it saves: planning took 1.2 ms for an answer of
  // 0.3 ms (measured).
  plan_cache_mode: 'force_generic_plan',
};
