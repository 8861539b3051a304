import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { commandOf, startOf } from './system-processes.ts';

// Linux supports both /proc and ps.
test.each([...new Set([process.platform, 'darwin'])])(
  'a process is identified by its command and start time, as %s reports them',
  async (platform) => {
    const child = spawn('/bin/sleep', ['600.25'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    expect(await commandOf(pid, platform)).toMatch(/sleep 600\.25$/);
    expect(await startOf(pid, platform)).toBe(await startOf(pid, platform));
    expect(await startOf(pid, platform)).not.toBe('');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await commandOf(pid, platform)).toBe('');
    expect(await startOf(pid, platform)).toBe('');
  },
);
