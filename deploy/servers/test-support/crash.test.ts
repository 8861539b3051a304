import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { expectNoCrash } from './crash.ts';

const line = (text: string) => `2026-11-23 12:38:40.475 UTC [28661] ${text}\n`;

test('a crash is reported with its statement, a kill is not', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-crash-'));
  const logFile = path.join(directory, 'postgres.log');
  try {
    await writeFile(logFile, line('LOG:  client backend (PID 28717) was terminated by signal 9: Killed'));
    await expectNoCrash(logFile);
    const crash = line('LOG:  client backend (PID 28717) was terminated by signal 11: Segmentation fault');
    const statement = `${line('DETAIL:  Failed process was running: update job')}\tset due_at = now()\n`;
    await writeFile(logFile, `${line('LOG:  ready')}${crash}${statement}${line('LOG:  ready')}`);
    await expect(expectNoCrash(logFile)).rejects.toThrow(
      /signal 11: Segmentation fault\n.*update job\n\tset due_at = now\(\)$/,
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});
