import { startProgress } from '@ces/cli/output/progress';
import { type Compared, measureAlternately } from './alternately.ts';
import { pickSearches } from './kept.ts';
import type { Stretch } from './months.ts';
import type { Prepared } from './prepare.ts';
import { type Asked, askedOf, requestSubjects } from './requests.ts';
import type { System } from './system.ts';
import type { Pair } from './tasks.ts';

const KEPT_MS = 399 * 86_400_000;

export interface RequestSamples {
  readonly samples: number;
  readonly now: Date;
}

export async function measureRequests(
  systems: Pair<System>,
  prepared: Pair<Prepared>,
  options: RequestSamples,
  signal: AbortSignal,
): Promise<Compared[]> {
  await using empty = await systems.empty.start({}, signal);
  await using history = await systems.history.start({}, signal);
  const asked = {
    empty: await withKept(systems.empty, askedOf(empty, prepared.empty), prepared.empty, options),
    history: await withKept(systems.history, askedOf(history, prepared.history), prepared.history, options),
  };
  const subjects = requestSubjects(asked);
  using progress = startProgress(process.stderr, 'requests');
  const compared: Compared[] = [];
  for (const [index, subject] of subjects.entries()) {
    progress.at(subject.what, index / subjects.length);
    compared.push(await measureAlternately(subject, options.samples, signal));
  }
  return compared;
}

async function withKept(
  system: System,
  asked: Asked,
  prepared: Prepared,
  { samples, now }: RequestSamples,
): Promise<Asked> {
  const { stretches, draw, payers, templates } = prepared;
  const oldest = stretches.find(({ isKept, count }) => isKept && count > 0);
  const retired = stretches.findLast(({ isKept, count }) => !isKept && count > 0);
  const pick = async (stretch: Stretch | undefined, since: Date) =>
    stretch ? await pickSearches(system, stretch, draw, payers, templates, { count: 2 * samples, now, since }) : [];
  return {
    ...asked,
    young: await pick(stretches.at(-1), new Date(0)),
    old: await pick(oldest, new Date(now.getTime() - KEPT_MS)),
    retired: await pick(retired, new Date(0)),
  };
}
