import type { SourceStatus } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { InvalidArgumentError } from 'commander';
import type { World } from '../../command.ts';
import { canAsk, openQuestions } from '../../questions.ts';
import { missingSettings } from './plan-start.ts';

export const CONTACT = 'contact';
const ADDRESS = /^[^\s@()<>,;]+@[^\s@()<>,;]+\.[^\s@()<>,;]+$/;
const ADVICE = 'Write an e-mail address such as data@example.com.';

export function contactArgument(text: string): string {
  if (!ADDRESS.test(text) || text.length > 200) throw new InvalidArgumentError(ADVICE);
  return text;
}

export function wantsContact(source: SourceStatus): boolean {
  const missing = missingSettings(source);
  return missing.length === 1 && missing[0]?.name === CONTACT;
}

export async function askContact(world: World, names: readonly string[]): Promise<string | undefined> {
  if (!canAsk(world)) return undefined;
  const questions = await openQuestions(world, ADVICE);
  const question = `E-mail address for ${names.join(', ')}? Their publisher asks for one. Enter skips them.`;
  for (let hint = ''; ; hint = `${ADVICE} `) {
    const answer = (await questions.text(`${hint}${question}`, '')).trim();
    if (answer === '') return undefined;
    if (ADDRESS.test(answer)) return answer;
  }
}
