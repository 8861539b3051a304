import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { run } from '@ces/chart/check/programs';
import { CHART } from '@ces/chart/check/render';
import { REPOSITORY } from '@ces/topology/services';

export async function chartAt(commit: string, cleanup: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-chart-before-'));
  cleanup.defer(() => rm(folder, { recursive: true }));
  const archive = path.join(folder, 'chart.tar');
  const directory = path.relative(REPOSITORY, CHART);
  await run('git', ['-C', REPOSITORY, 'archive', '--output', archive, commit, directory]);
  await run('tar', ['-xf', archive, '-C', folder]);
  return path.join(folder, directory);
}
