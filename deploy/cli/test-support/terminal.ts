import { PassThrough } from 'node:stream';
import { expect } from 'vitest';

export interface Terminal {
  readonly stdin: PassThrough & { readonly isTTY: true };
  readonly stderr: PassThrough & { readonly isTTY: true };
  answer(question: string, keys: string): Promise<void>;
}

export function openTerminal(): Terminal {
  const stdin = Object.assign(new PassThrough(), { isTTY: true as const, setRawMode: () => undefined });
  const stderr = Object.assign(new PassThrough(), { isTTY: true as const, columns: 100, rows: 40 });
  let shown = '';
  stderr.on('data', (chunk) => {
    shown += chunk;
  });
  return {
    stdin,
    stderr,
    async answer(question, keys) {
      await expect.poll(() => shown).toContain(question);
      stdin.write(keys);
    },
  };
}
