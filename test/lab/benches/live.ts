import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CesClient } from '@ces/client';
import { REPOSITORY } from '@ces/topology/services';
import { type Fault, startPublishers } from '../../support/publishers/publishers.ts';
import { readArguments } from '../support/arguments.ts';

const { values } = readArguments('npm run lab -- live [--faults]', { faults: { type: 'boolean' } });

/** Slow, broken and rate-limited publishers. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'api.fda.gov': 'slow',
  'data-donnees.az.ec.gc.ca': 'broken',
  'api.www.sbir.gov': 'rate_limited',
};

await main();

/** Runs `npm start -- --live --detach` as a person would and prints seconds to each step. */
async function main(): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-live-'));
  await chmod(folder, 0o711);
  const begun = performance.now();
  const say = (what: string) =>
    console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${what}`);
  try {
    await using publishers = await startPublishers(folder, values.faults ? FAULTS : {});
    const env = { ...process.env, ...publishers.env, CES_DATA_DIR: path.join(folder, 'data') };
    const npm = async (...parameters: readonly string[]) => {
      const child = spawn('npm', parameters, { cwd: REPOSITORY, env, stdio: ['ignore', 'inherit', 'inherit'] });
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`npm ${parameters.join(' ')} ended with ${code}`);
    };
    try {
      await npm('start', '--', '--live', '--detach', '--port', '0');
      say('npm start -- --live --detach returned');
      const ready = JSON.parse(await readFile(path.join(folder, 'data/ready.json'), 'utf8'));
      const ces = new CesClient({ baseUrl: ready.base_url, apiKey: ready.credentials.builder });
      const { companies } = await ces.searchCompanies({ query: 'replacement of harbour lights', limit: 3 }).done();
      say(`the first answer: ${companies.map(({ name }) => name).join(', ')}`);
      await npm('exec', '--', 'ces', 'source', 'start');
      say('every source was read');
    } finally {
      await npm('run', 'stop');
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
