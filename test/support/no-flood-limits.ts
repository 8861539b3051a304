/** Settings under which nothing is refused for how often or how long one account calls; how many work at once is the machine's. */
export const NO_FLOOD_LIMITS = {
  CES_CREDENTIAL_CALLS_PER_SECOND: '1000000',
  CES_CREDENTIAL_BURST: '1000000',
  CES_ACCOUNT_CALLS_IN_FLIGHT: '1000000',
  CES_POLLS_PER_SECOND: '1000000',
  CES_CALL_WAIT_MS: '1000000',
  CES_BURST_WAIT_MS: '1000000',
} as const;
