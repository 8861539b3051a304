import type { World } from '../command.ts';
import { openQuestions } from '../questions.ts';
import { Refusal, UsageError } from '../refusal.ts';
import { isKey } from './credential-file.ts';

/** An API key has 50 characters; more than this is another file. */
const MAX_BYTES = 1_024;
const HOW = 'Pipe the API key to standard input, or run npx ces login in a terminal.';

/** Asks for the key at a terminal without showing it, else reads it from standard input. */
export async function readKey(world: World, question: string): Promise<string> {
  const { stdin } = world;
  if (stdin === undefined) throw new UsageError(HOW);
  const text = stdin.isTTY ? await (await openQuestions(world, HOW)).secret(question) : await readAll(stdin);
  const key = text.trim();
  if (key === '') throw new UsageError(`There is no API key on standard input. ${HOW}`);
  if (!isKey(key)) throw new Refusal('That is not an API key: it must look like ces_live_….');
  return key;
}

async function readAll(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += chunk;
    if (text.length > MAX_BYTES) throw new Refusal('Standard input is too long for an API key.');
  }
  return text;
}
