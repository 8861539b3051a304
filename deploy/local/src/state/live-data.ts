import { readFile, stat } from 'node:fs/promises';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { type DataDirectory, writePrivately } from './data-directory.ts';

const SOURCE_SECRETS = 'CES_SOURCE_SECRETS';

interface LiveFile {
  readonly [SOURCE_SECRETS]?: string;
}

/**
 * Undefined for the sample: fictional and real companies are never in one record. Keeps the
 * environment's keys for later starts.
 */
export async function openLiveData(
  data: DataDirectory,
  isWanted: boolean,
  env: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv | undefined> {
  const known = await readLiveFile(data);
  if (!known && !isWanted) return undefined;
  await refuseSample(data);
  const secrets = env[SOURCE_SECRETS] || known?.[SOURCE_SECRETS];
  const kept: LiveFile = secrets ? { [SOURCE_SECRETS]: secrets } : {};
  await writePrivately(data.liveFile, kept);
  return { CES_ACQUISITION_SCHEDULES: env.CES_ACQUISITION_SCHEDULES || 'true', ...kept, ...onDemandWith(secrets, env) };
}

/** Throws a StartupError when the data directory has the sample. */
export async function refuseSample(data: DataDirectory): Promise<void> {
  if (await exists(data.sampleFile))
    throw new StartupError(
      `${data.path} has the fictional sample: add --fresh to delete it with its API keys, or set CES_DATA_DIR to another directory.`,
    );
}

export async function isLive(data: DataDirectory): Promise<boolean> {
  return await exists(data.liveFile);
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

/** Searches may ask sources only if one of them has its key. */
function onDemandWith(secrets: string | undefined, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return secrets ? { CES_ACQUISITION_ON_DEMAND: env.CES_ACQUISITION_ON_DEMAND || 'true' } : {};
}

async function readLiveFile(data: DataDirectory): Promise<LiveFile | undefined> {
  const text = await readFile(data.liveFile, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as LiveFile;
  } catch {
    throw new StartupError(`${data.liveFile} is damaged: put an intact copy back, or start with --fresh.`);
  }
}
