/** Settings under which nothing is refused for how often one account calls, and nothing waits for its turn. */
export const NO_FLOOD_LIMITS = {
  CES_CREDENTIAL_CALLS_PER_SECOND: '1000000',
  CES_CREDENTIAL_BURST: '1000000',
  CES_ACCOUNT_CALLS_IN_FLIGHT: '1000000',
  CES_CALLS_IN_FLIGHT: '1000000',
  CES_CALLS_AT_WORK: '1000000',
  CES_POLLS_PER_SECOND: '1000000',
  CES_ACCOUNT_PAGES_PER_SECOND: '1000000',
} as const;
