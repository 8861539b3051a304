import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withProgress } from './progress.mjs';

/** No install takes longer. */
const LONGEST_MS = 15 * 60_000;

/** Runs `work` under an exclusive lock file. It takes over a lock whose owner is gone. */
export async function withLock(lock, waiting, work) {
  if (!take(lock))
    await withProgress(waiting, async () => {
      while (!take(lock)) await pause(200);
    });
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock) {
  try {
    mkdirSync(path.dirname(lock), { recursive: true });
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST')
      throw new Error(`${path.dirname(lock)} cannot be written (${error.code}): correct its permissions.`);
    if (isAbandoned(lock)) rmSync(lock, { force: true });
    return false;
  }
}

/** The owner is gone, or the lock is so old that its pid may belong to another process. */
function isAbandoned(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    const age = Date.now() - statSync(lock).mtimeMs;
    return age > LONGEST_MS || (pid > 0 && !isAlive(pid));
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
