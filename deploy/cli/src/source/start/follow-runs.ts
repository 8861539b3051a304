import { setTimeout as pause } from 'node:timers/promises';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { RunState, RunStateSchema, type SourceRun } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { Context } from '../../operator/context.ts';
import { startLiveLines } from '../../output/live-lines.ts';
import { enumName } from '../../output/plain.ts';
import { count } from '../../output/table.ts';

const LOOK_EVERY_MS = 1_000;

export interface Searchable {
  readonly observations: bigint;
  readonly companies: bigint;
  /** Seconds until the first observation could be searched; undefined: none, or some before. */
  readonly afterSeconds: number | undefined;
}

export interface Followed {
  readonly runs: readonly SourceRun[];
  readonly searchable: Searchable;
}

export interface FollowOptions {
  readonly untilSearchable: boolean;
  readonly wasEmpty: boolean;
}

/** Shows the progress of runs until all have ended and what they recorded can be searched. */
export async function followRuns(
  { stack, stderr, signal }: Context,
  ids: readonly bigint[],
  { untilSearchable, wasEmpty }: FollowOptions,
): Promise<Followed> {
  const begun = performance.now();
  const acquisition = stack.client('acquisition', AcquisitionAdminService);
  const search = stack.client('search', SearchAdminService);
  let afterSeconds: number | undefined;
  using lines = startLiveLines(stderr);
  for (;;) {
    const answers = await Promise.all(ids.map((runId) => acquisition.getRun({ runId })));
    const runs = answers.flatMap(({ run }) => (run ? [run] : []));
    const { observations, companies, lag } = await search.getIndexStatus({});
    if (wasEmpty && observations > 0n) afterSeconds ??= (performance.now() - begun) / 1000;
    const searchable = { observations, companies, afterSeconds };
    lines.show(linesOf(runs, searchable));
    const isOver = runs.every(({ state }) => state !== RunState.RUNNING) && lag === 0n;
    if (isOver || (untilSearchable && observations > 0n)) return { runs, searchable };
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    // The same Ctrl-C may stop the services, so nothing more is asked.
    if (signal.aborted) return { runs, searchable };
  }
}

function linesOf(runs: readonly SourceRun[], { observations, companies, afterSeconds }: Searchable): readonly string[] {
  const first = afterSeconds === undefined ? '' : `, the first after ${afterSeconds.toFixed(0)} s`;
  return [
    ...runs.map(
      ({ source, records, companies: found, state }) =>
        `${source}: ${count(records)} records, ${count(found)} companies, ${enumName(RunStateSchema, state)}`,
    ),
    `searchable: ${count(observations)} observations, ${count(companies)} companies${first}`,
  ];
}
