import { ConfigurationError, pairs, parsePairs, type SettingValues, text } from '../service/settings.ts';
import { watchedFile } from '../service/watched-file.ts';

/** How this process shows other services who it is: by a token for each of them. */
export const ownTokenSettings = {
  rpcTokens: pairs('CES_RPC_TOKENS', 'tokens of this process as service=token pairs, one a service that it calls', {
    secret: true,
    default: '',
  }),
  rpcTokensFile: text(
    'CES_RPC_TOKENS_FILE',
    'file with the same, read again when it changes; where it is, it takes the place of them',
    { default: '' },
  ),
  rpcToken: text('CES_RPC_TOKEN', 'token of this process towards services that the others do not name', {
    secret: true,
    default: '',
  }),
};

type OwnTokens = SettingValues<typeof ownTokenSettings>;

/** The token to show to a service, as it is now; throws ConfigurationError when there is none at first. */
export function tokenFor({ rpcTokens, rpcTokensFile, rpcToken }: OwnTokens, service: string): () => string {
  const ofFile = rpcTokensFile === '' ? () => undefined : watchedFile(rpcTokensFile, parsePairs);
  const token = () => (ofFile() ?? rpcTokens).get(service) ?? rpcToken;
  let first: string;
  try {
    first = token();
  } catch (error) {
    throw new ConfigurationError([`${rpcTokensFile} (CES_RPC_TOKENS_FILE): ${(error as Error).message}.`]);
  }
  if (first === '') throw new ConfigurationError([`CES_RPC_TOKENS has no token for ${service}.`]);
  return token;
}
