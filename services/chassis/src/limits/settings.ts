import { integer } from '../service/settings.ts';

/** Limits over all processes that accept callers; every process needs the same values. */
export const callLimitSettings = {
  credentialCallsPerSecond: integer(
    'CES_CREDENTIAL_CALLS_PER_SECOND',
    'calls a second and credential, at all gateways and at operations together',
    { default: '50', min: 1, max: 1_000_000 },
  ),
  credentialBurst: integer('CES_CREDENTIAL_BURST', 'calls a credential may make at once', {
    default: '100',
    min: 1,
    max: 1_000_000,
  }),
  addressFailuresPerSecond: integer(
    'CES_ADDRESS_FAILURES_PER_SECOND',
    'failed authentications a second and client address, at all gateways and at operations together; of a program that passes keys on',
    { default: '20', min: 1, max: 1_000_000 },
  ),
  accountCallsInFlight: integer(
    'CES_ACCOUNT_CALLS_IN_FLIGHT',
    'calls in flight an account, at all gateways and at operations together',
    { default: '64', min: 1, max: 1_000_000 },
  ),
  accountPagesPerSecond: integer(
    'CES_ACCOUNT_PAGES_PER_SECOND',
    'pages a second and account of its operations and statements, at all gateways and at operations together',
    { default: '5', min: 1, max: 1_000_000 },
  ),
};
