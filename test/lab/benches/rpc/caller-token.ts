/** Every server of the benchmark checks it where it checks callers at all. */
export const CALLER_TOKEN = 'caller-token-of-a-benchmark';
