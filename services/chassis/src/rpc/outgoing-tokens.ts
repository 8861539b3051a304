import path from 'node:path';
import { watchedFile } from '../service/watched-file.ts';
import { ConfigurationError, pairs, parsePairs, type SettingValues, text } from '../settings.ts';

export const outgoingTokenSettings = {
  rpcTokens: pairs('CES_RPC_TOKENS', 'tokens for other services, as service=token pairs', {
    secret: true,
    default: '',
  }),
  rpcTokensFile: text('CES_RPC_TOKENS_FILE', 'file that replaces CES_RPC_TOKENS if it exists', { default: '' }),
  serviceAccountTokens: text(
    'CES_RPC_SERVICE_ACCOUNT_TOKENS',
    'folder with a ServiceAccount token for each service that this process calls, named after it',
    { default: '' },
  ),
};

type OutgoingTokenConfig = SettingValues<typeof outgoingTokenSettings>;

export interface OutgoingTokens {
  readonly callerToken: string | undefined;
  readonly serviceAccountToken: string | undefined;
}

export function outgoingTokensFor(own: OutgoingTokenConfig, service: string): () => OutgoingTokens {
  const { rpcTokens, rpcTokensFile, serviceAccountTokens } = own;
  const ofFile = rpcTokensFile === '' ? nothing : watchedFile(rpcTokensFile, parsePairs);
  const ofAccount =
    serviceAccountTokens === '' ? nothing : watchedFile(path.join(serviceAccountTokens, service), parseToken);
  const now = () => ({
    callerToken: (ofFile() ?? rpcTokens).get(service) || undefined,
    serviceAccountToken: ofAccount(),
  });
  const said = <T>(file: string, setting: string, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw new ConfigurationError([`${file} (${setting}): ${(error as Error).message}.`]);
    }
  };
  said(rpcTokensFile, 'CES_RPC_TOKENS_FILE', ofFile);
  said(path.join(serviceAccountTokens, service), 'CES_RPC_SERVICE_ACCOUNT_TOKENS', ofAccount);
  const { callerToken, serviceAccountToken } = now();
  if (callerToken === undefined && serviceAccountToken === undefined)
    throw new ConfigurationError([
      `CES_RPC_TOKENS has no token for ${service}, and CES_RPC_SERVICE_ACCOUNT_TOKENS none either.`,
    ]);
  return now;
}

function nothing(): undefined {
  return undefined;
}

/** JWS Compact Serialization (RFC 7515 §7.1); the receiver verifies the token. */
function parseToken(text: string): string {
  const token = text.trim();
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw new Error('it holds no token of a ServiceAccount');
  return token;
}
