import type { Command } from 'commander';
import { type Answer, asVerb, type Runner } from '../command.ts';
import { configDirectory } from '../credentials/config-directory.ts';
import { readCredentials } from '../credentials/credential-file.ts';
import { writeCredentials } from '../credentials/write-credentials.ts';
import { Refusal } from '../refusal.ts';
import type { SubscriberContext } from '../subscriber/context.ts';
import { addressArgument, gatewayAddressOf } from '../subscriber/gateway.ts';

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asVerb(verb, ['logout', 'logout https://evidence.example'])
    .argument('[address]', 'address of the public interface (default: that of the other verbs)', addressArgument)
    .action(run(logout));
}

async function logout({ env }: SubscriberContext, given: string | undefined): Promise<Answer> {
  const directory = configDirectory(env);
  const { current, keys } = readCredentials(directory);
  const address = given ?? gatewayAddressOf(env);
  const { [address]: key, ...others } = keys;
  if (directory === undefined || key === undefined) throw new Refusal(`No key is stored for ${address}.`);
  writeCredentials(directory, { ...(current !== address && current !== undefined && { current }), keys: others });
  return { json: { address }, text: `The key for ${address} is deleted here. It stays valid until it is revoked.` };
}
