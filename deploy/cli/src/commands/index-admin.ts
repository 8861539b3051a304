import {
  type GetIndexStatusResponse,
  GetIndexStatusResponseSchema,
  SearchAdminService,
} from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { Command } from 'commander';
import { type Answer, addChange, addVerb, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import { waitForIndex } from '../operator/index-position.ts';
import { plain } from '../output/plain.ts';
import { startProgress } from '../output/progress.ts';
import { count, list } from '../output/table.ts';

export function define(group: Command, run: Runner<Context>): void {
  addVerb(group, 'status', 'Show size, position and lag.', ['index status', 'index status --wait'])
    .option('--wait', 'wait until the index has applied every change recorded so far')
    .action(
      run(async ({ stack, signal }, { wait }: { wait?: boolean }) =>
        show(
          wait
            ? await waitForIndex(stack, { signal })
            : await stack.client('search', SearchAdminService).getIndexStatus({}),
        ),
      ),
    );

  addChange(group, 'rebuild', 'Rebuild the index without interrupting searches.', ['index rebuild --wait'])
    .option('--wait', 'wait until the rebuild is finished')
    .action(
      run(async ({ stack, signal, stderr }, { wait }: { wait?: boolean }) => {
        const { started } = await stack.client('search', SearchAdminService).rebuildIndex({});
        const text = started ? 'The rebuild has started.' : 'A rebuild is already running.';
        if (!wait) return { json: { started }, text: `${text} Follow it with npx ces index status.` };
        using progress = startProgress(stderr, 'rebuilding');
        const status = await waitForIndex(stack, {
          signal,
          untilRebuilt: true,
          onStatus: ({ observations }, fraction) => progress.at(`${count(observations)} observations`, fraction),
        });
        return show(status);
      }),
    );
}

function show(status: GetIndexStatusResponse): Answer {
  return {
    json: plain(GetIndexStatusResponseSchema, status),
    text: list([
      ['observations', count(status.observations)],
      ['companies', count(status.companies)],
      ['changes to apply', count(status.lag)],
      ['position', position(status.position)],
      ['newest change', position(status.newest)],
      ['rebuilding', status.rebuilding],
      ['size on disk', `${count(status.sizeBytes / 1_048_576n)} MiB`],
    ]),
  };
}

function position(value: GetIndexStatusResponse['position']): string {
  return value ? `transaction ${value.tx}, change ${value.seq}` : 'none';
}
