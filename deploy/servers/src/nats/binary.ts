import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { chooseNats, type NatsFacts, type NatsProgram } from '../machine/choice.mjs';
import { fetchDebianPackage } from './debian.ts';
import { fetchRelease } from './release.ts';

const execute = promisify(execFile);

const ANSWER_WITHIN_MS = 20_000;
/** Folders of Debian and Homebrew, which PATH may lack. */
const USUAL_DIRECTORIES = ['/usr/local/sbin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Downloads it if needed. `say`: known vulnerabilities. */
export async function findNatsServer(cacheDirectory: string, say: (line: string) => void = () => {}): Promise<string> {
  const cached = path.join(cacheDirectory, 'nats-server');
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  let facts: NatsFacts = {
    platform: process.platform,
    arch: process.arch,
    found: await firstProgram([...onPath, ...USUAL_DIRECTORIES].map((folder) => path.join(folder, 'nats-server'))),
    kept: await firstProgram([cached]),
  };
  for (;;) {
    const choice = chooseNats(facts);
    if (choice.sentence !== undefined) throw new StartupError(choice.sentence);
    if (choice.use !== undefined) {
      if (choice.note) say(choice.note);
      return choice.use;
    }
    if (choice.fetch === 'release')
      facts = { ...facts, release: await attempt(() => fetchRelease(choice.archive, cached), cached) };
    else facts = { ...facts, debian: await attempt(() => fetchDebianPackage(cached), cached) };
  }
}

async function attempt(fetching: () => Promise<void>, target: string) {
  try {
    await fetching();
    const program = await firstProgram([target]);
    return program ? { program } : { failure: 'what was fetched does not run here' };
  } catch (error) {
    return { failure: (error as Error).message };
  }
}

async function firstProgram(files: readonly string[]): Promise<NatsProgram | undefined> {
  for (const file of new Set(files)) {
    if (!(await isProgram(file))) continue;
    const said = await execute(file, ['--version'], { timeout: ANSWER_WITHIN_MS }).catch(() => undefined);
    const [, version] = /nats-server: v(\S+)/.exec(said?.stdout ?? '') ?? [];
    if (version !== undefined) return { file, version };
  }
  return undefined;
}

function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
