import { ConfigurationError, flag, type Setting, type SettingValues, text, url } from '../../settings.ts';

export type CallersBySubject = ReadonlyMap<string, string>;

export const serviceAccountSettings = {
  serviceAccounts: serviceAccounts(
    'CES_RPC_SERVICE_ACCOUNTS',
    'accepted ServiceAccounts as caller=namespace:name pairs',
  ),
  serviceAccountIssuer: text(
    'CES_RPC_SERVICE_ACCOUNT_ISSUER',
    'issuer of ServiceAccount tokens, as the cluster names it',
    { default: '' },
  ),
  serviceAccountAudience: text(
    'CES_RPC_SERVICE_ACCOUNT_AUDIENCE',
    'audience of ServiceAccount tokens for this service',
    { default: '' },
  ),
  serviceAccountKeysFile: text('CES_RPC_SERVICE_ACCOUNT_KEYS_FILE', 'file with the public keys of the issuer (JWKS)', {
    default: '',
  }),
  serviceAccountKeysUrl: url(
    'CES_RPC_SERVICE_ACCOUNT_KEYS_URL',
    'address of the public keys of the issuer, instead of the file',
    { schemes: ['https'], default: '' },
  ),
  serviceAccountKeysCaFile: text(
    'CES_RPC_SERVICE_ACCOUNT_KEYS_CA_FILE',
    'CA certificates for CES_RPC_SERVICE_ACCOUNT_KEYS_URL; empty: those of the system',
    { default: '' },
  ),
  serviceAccountKeysTokenFile: text(
    'CES_RPC_SERVICE_ACCOUNT_KEYS_TOKEN_FILE',
    'file with the bearer token for CES_RPC_SERVICE_ACCOUNT_KEYS_URL',
    { default: '' },
  ),
  sharedTokens: flag('CES_RPC_SHARED_TOKENS', 'whether tokens of CES_RPC_CALLER_DIGESTS are accepted', {
    default: 'true',
  }),
};

export type ServiceAccountSettings = SettingValues<typeof serviceAccountSettings>;

export function checkServiceAccounts(settings: ServiceAccountSettings): void {
  const { serviceAccountIssuer, serviceAccountAudience, serviceAccountKeysFile, serviceAccountKeysUrl } = settings;
  const mistakes: string[] = [];
  if (serviceAccountIssuer === '') mistakes.push('CES_RPC_SERVICE_ACCOUNTS needs CES_RPC_SERVICE_ACCOUNT_ISSUER.');
  if (serviceAccountAudience === '') mistakes.push('CES_RPC_SERVICE_ACCOUNTS needs CES_RPC_SERVICE_ACCOUNT_AUDIENCE.');
  if ((serviceAccountKeysFile === '') === (serviceAccountKeysUrl === ''))
    mistakes.push(
      'CES_RPC_SERVICE_ACCOUNTS needs one of CES_RPC_SERVICE_ACCOUNT_KEYS_FILE and CES_RPC_SERVICE_ACCOUNT_KEYS_URL.',
    );
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
}

const PAIR = /^([a-z0-9-]{1,63})=([a-z0-9-]{1,63}):([a-z0-9.-]{1,253})$/;
/** An account must not authenticate as an operator or an anonymous caller. */
const NO_PROGRAMS: ReadonlySet<string> = new Set(['admin', 'anyone']);

function serviceAccounts(name: string, description: string): Setting<CallersBySubject> {
  return { ...text(name, description, { default: '' }), parse: parseServiceAccounts };
}

function parseServiceAccounts(value: string): CallersBySubject {
  const callers = new Map<string, string>();
  for (const pair of value.split(',').filter(Boolean)) {
    const [, caller = '', namespace, account] = PAIR.exec(pair.trim()) ?? [];
    if (caller === '' || NO_PROGRAMS.has(caller))
      throw new Error('must be caller=namespace:name pairs of programs separated by commas');
    const subject = `system:serviceaccount:${namespace}:${account}`;
    if (callers.has(subject)) throw new Error('must name no account twice');
    callers.set(subject, caller);
  }
  return callers;
}
