import { CesClient, CesError } from '@ces/client';
import type { Command } from 'commander';
import { type Answer, asVerb, type Runner } from '../command.ts';
import { subscriberSettings } from '../config.ts';
import { configDirectory } from '../credentials/config-directory.ts';
import { credentialFile, readCredentials } from '../credentials/credential-file.ts';
import { readKey } from '../credentials/read-key.ts';
import { writeCredentials } from '../credentials/write-credentials.ts';
import { Refusal } from '../refusal.ts';
import type { SubscriberContext } from '../subscriber/context.ts';
import { addressArgument, gatewayAddressOf } from '../subscriber/gateway.ts';
import { gatewayRefusal } from '../subscriber/gateway-refusal.ts';
import { httpFetch } from '../subscriber/http-fetch.ts';

export function define(verb: Command, run: Runner<SubscriberContext>): void {
  asVerb(verb, ['login', 'login https://evidence.example'])
    .argument('[address]', 'address of the public interface (default: that of the other verbs)', addressArgument)
    .addHelpText('after', HOW)
    .action(run(login));
}

const HOW = `
Asks for the API key, or reads it from standard input: npx ces login < key.txt
A key on the command line would be in the history of the shell and in the list of processes.`;

async function login(context: SubscriberContext, given: string | undefined): Promise<Answer> {
  const directory = configDirectory(context.env);
  if (directory === undefined) throw new Refusal('There is no home folder for the key: set HOME, or use CES_TOKEN.');
  const address = given ?? gatewayAddressOf(context.env);
  const key = await readKey(context, `API key for ${address}`);
  const account = await checkKey(address, key, context);
  const stored = readCredentials(directory);
  writeCredentials(directory, { current: address, keys: { ...stored.keys, [address]: key } });
  const file = credentialFile(directory);
  return { json: { address, file }, text: `The key is good${account}. It is stored in ${file} for ${address}.` };
}

/** The diagnostic is free and needs no scope. Throws a Refusal. */
async function checkKey(address: string, key: string, { env, signal }: SubscriberContext): Promise<string> {
  try {
    const { subscription } = await new CesClient({ baseUrl: address, apiKey: key, fetch: httpFetch })
      .diagnose({ signal })
      .done();
    return ` (plan ${subscription.plan}, ${subscription.status})`;
  } catch (error) {
    if (!CesError.is(error)) throw error;
    if (CesError.is(error, 'subscription_required')) return ', but its subscription is not active';
    if (CesError.is(error, 'invalid_api_key'))
      throw new Refusal(`${address} refuses this key, so it is not stored: check that it is whole and not revoked.`);
    throw gatewayRefusal(error, { ...env, [subscriberSettings.gatewayUrl.name]: address }, 'login');
  }
}
