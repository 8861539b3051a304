import { hash, timingSafeEqual } from 'node:crypto';
import { watchedFile } from '../service/watched-file.ts';
import { ConfigurationError, type Setting, type SettingValues, text } from '../settings.ts';

export interface AcceptedToken {
  readonly name: string;
  readonly digest: Buffer;
}

export type AcceptedTokens = () => readonly AcceptedToken[];

export const acceptedTokenSettings = {
  callerDigests: accepted(
    'CES_RPC_CALLER_DIGESTS',
    'accepted callers as name=digest pairs (SHA-256 of a token); a name may occur twice',
  ),
  callerDigestsFile: text('CES_RPC_CALLER_DIGESTS_FILE', 'file that replaces CES_RPC_CALLER_DIGESTS if it exists', {
    default: '',
  }),
};

type Settings = SettingValues<typeof acceptedTokenSettings>;

/** Throws ConfigurationError for an invalid file. `sharedTokens` false accepts no token. */
export function acceptedTokens({ callerDigests, callerDigestsFile }: Settings, sharedTokens = true): AcceptedTokens {
  if (!sharedTokens) return () => [];
  if (callerDigestsFile === '') return () => callerDigests;
  const ofFile = watchedFile(callerDigestsFile, parseAccepted);
  try {
    ofFile();
  } catch (error) {
    throw new ConfigurationError([`${callerDigestsFile} (CES_RPC_CALLER_DIGESTS_FILE): ${(error as Error).message}.`]);
  }
  return () => ofFile() ?? callerDigests;
}

/** In constant time. */
export function findAccepted(tokens: AcceptedTokens, digest: Buffer): string | undefined {
  let found: string | undefined;
  for (const one of tokens()) if (timingSafeEqual(one.digest, digest)) found = one.name;
  return found;
}

/** 256 random bits need no slow hash. */
export function sha256(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

function accepted(name: string, description: string): Setting<readonly AcceptedToken[]> {
  return { ...text(name, description, { secret: true, default: '' }), parse: parseAccepted };
}

function parseAccepted(value: string): readonly AcceptedToken[] {
  return value.split(/[,\n]/).flatMap((entry) => {
    const pair = entry.trim();
    if (pair === '') return [];
    const at = pair.indexOf('=');
    if (at < 1) throw new Error('must be name=value pairs separated by commas');
    return [{ name: pair.slice(0, at), digest: parseDigest(pair.slice(at + 1)) }];
  });
}

function parseDigest(value: string): Buffer {
  if (!/^[0-9a-f]{64}$/.test(value)) throw new Error('must have digests of 64 hexadecimal digits');
  return Buffer.from(value, 'hex');
}
