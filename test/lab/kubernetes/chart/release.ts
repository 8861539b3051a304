import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CHART } from '@ces/chart/check/render';
import { run } from '@ces/chart/programs/programs';
import { REPOSITORY } from '@ces/topology/services';

/** The chart of a commit, and the values of the drill that fit it. */
export interface Release {
  readonly chart: string;
  readonly values: string;
}

const VALUES = 'test/lab/kubernetes/manifests/values.yaml';

export async function releaseAt(commit: string, cleanup: AsyncDisposableStack): Promise<Release> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-chart-before-'));
  cleanup.defer(() => rm(folder, { recursive: true }));
  const archive = path.join(folder, 'chart.tar');
  const directory = path.relative(REPOSITORY, CHART);
  await run('git', ['-C', REPOSITORY, 'archive', '--output', archive, commit, directory, VALUES]);
  await run('tar', ['-xf', archive, '-C', folder]);
  return { chart: path.join(folder, directory), values: path.join(folder, VALUES) };
}
