import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  RunState,
  type SourceSetting,
  SourceState,
  type SourceStatus,
} from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { InvalidArgumentError } from 'commander';
import type { World } from '../../command.ts';
import { canAsk, openQuestions } from '../../questions.ts';

/** `none`: nothing to do, for example because only files are read. */
export type Step = 'read' | 'running' | 'fresh' | 'disabled' | 'settings' | 'none';

const MINUTE_MS = 60_000;

export function stepOf(source: SourceStatus, now: Date): Step {
  if (!source.verified || !(source.fetched || source.onDemand)) return 'none';
  if (source.state === SourceState.DISABLED) return 'disabled';
  if (missingSettings(source).length > 0) return 'settings';
  if (!source.fetched) return 'none';
  if (source.lastRun?.state === RunState.RUNNING) return 'running';
  return isFresh(source, now) ? 'fresh' : 'read';
}

export function missingSettings({ settings }: Pick<SourceStatus, 'settings'>): readonly SourceSetting[] {
  return settings.filter(({ required, set }) => required && !set);
}

/** Whether the schedule of the source would not read it again yet. */
function isFresh({ freshAt, everyMinutes }: SourceStatus, now: Date): boolean {
  if (!freshAt) return false;
  return everyMinutes === 0 || now.getTime() - timestampDate(freshAt).getTime() < everyMinutes * MINUTE_MS;
}

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
