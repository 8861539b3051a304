import { integer } from '../settings.ts';

export const callLimitSettings = {
  credentialCallsPerSecond: integer('CES_CREDENTIAL_CALLS_PER_SECOND', 'calls per second and credential', {
    default: '50',
    min: 1,
    max: 1_000_000,
  }),
  credentialBurst: integer('CES_CREDENTIAL_BURST', 'largest burst of calls per credential', {
    default: '100',
    min: 1,
    max: 1_000_000,
  }),
  addressFailuresPerSecond: integer(
    'CES_ADDRESS_FAILURES_PER_SECOND',
    'failed authentications per second and client address',
    { default: '20', min: 1, max: 1_000_000 },
  ),
  accountCallsInFlight: integer('CES_ACCOUNT_CALLS_IN_FLIGHT', 'calls in flight per account', {
    default: '64',
    min: 1,
    max: 1_000_000,
  }),
  accountPagesPerSecond: integer(
    'CES_ACCOUNT_PAGES_PER_SECOND',
    'pages of operations and statements per second and account',
    { default: '5', min: 1, max: 1_000_000 },
  ),
};
