import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/**
 * For local tests: headless, without sandbox (containers lack one) and without background requests.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function findChromium(): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const program = path.join(folder, 'chromium');
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return undefined;
}

export function startChromium(program: string): Promise<Browser> {
  return chromium.launch({ executablePath: program, args: FLAGS });
}
