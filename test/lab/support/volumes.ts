import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { run } from '@ces/chart/check/programs';

/**
 * Reads a generated file of a compose project's `secrets` container. The container has exited, but
 * its volumes exist.
 */
export async function drawnFile(project: string, file: string): Promise<string> {
  const labels = [`project=${project}`, 'service=secrets', 'oneoff=False'];
  const filters = labels.flatMap((label) => ['--filter', `label=com.docker.compose.${label}`]);
  const [id = ''] = (await run('docker', ['ps', '--all', '--quiet', ...filters])).trim().split('\n');
  if (!id) throw new Error(`no stack of deploy/compose.yaml is there under the name ${project}: start one.`);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-drawn-'));
  try {
    const copy = path.join(folder, 'file');
    await run('docker', ['cp', `${id}:/run/ces/${file}`, copy]);
    return await readFile(copy, 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}
