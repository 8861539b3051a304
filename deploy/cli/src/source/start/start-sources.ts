import { failureOf } from '@ces/chassis/rpc/failure';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { RunState, type SourceStatus } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { FailureCode } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { Answer } from '../../command.ts';
import type { Context } from '../../operator/context.ts';
import { followRuns } from './follow-runs.ts';
import { askContact, CONTACT, type Step, stepOf, wantsContact } from './plan-start.ts';
import { describeStart } from './start-text.ts';

export interface StartChoices {
  readonly contact?: string;
  readonly untilSearchable?: boolean;
}

/** All at once: the service keeps each host's rate. Skips those read within their interval. */
export async function startSources(context: Context, choices: StartChoices): Promise<Answer> {
  const acquisition = context.stack.client('acquisition', AcquisitionAdminService);
  const { untilSearchable = false } = choices;
  await giveContact(context, choices.contact);
  const { sources, schedules } = await acquisition.listSources({});
  const now = new Date(context.clock.now());
  const bySteps = Map.groupBy(sources, (source) => stepOf(source, now));
  const withStep = (step: Step): readonly SourceStatus[] => bySteps.get(step) ?? [];
  const { observations } = await context.stack.client('search', SearchAdminService).getIndexStatus({});
  const ids: bigint[] = [];
  for (const { name } of withStep('read')) ids.push(await begin(context, name));
  for (const { lastRun } of withStep('running')) if (lastRun) ids.push(lastRun.id);
  const followed = await followRuns(context, ids, { untilSearchable, wasEmpty: observations === 0n });
  return describeStart({
    ...followed,
    fresh: withStep('fresh'),
    disabled: withStep('disabled'),
    lacking: withStep('settings'),
    schedules,
    isInterrupted: context.signal.aborted,
  });
}

async function giveContact(context: Context, given: string | undefined): Promise<void> {
  const acquisition = context.stack.client('acquisition', AcquisitionAdminService);
  const { sources } = await acquisition.listSources({});
  const names = sources.filter(wantsContact).map(({ name }) => name);
  if (names.length === 0) return;
  const contact = given ?? (await askContact(context, names));
  if (contact === undefined) return;
  for (const name of names) await acquisition.setSource({ name, settings: { [CONTACT]: contact } });
}

async function begin({ stack }: Context, name: string): Promise<bigint> {
  const acquisition = stack.client('acquisition', AcquisitionAdminService);
  try {
    return (await acquisition.runSource({ name })).runId;
  } catch (error) {
    if (failureOf(error)?.code !== FailureCode.INVALID_REQUEST) throw error;
    const { runs } = await acquisition.listRuns({ source: name, limit: 1 });
    if (runs[0]?.state !== RunState.RUNNING) throw error;
    return runs[0].id;
  }
}
