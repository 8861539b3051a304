import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { REPOSITORY } from '@ces/topology/services';
import { makeCheck, type Say } from '../interop/row.ts';
import type { Subscriber } from './runtimes.ts';

const execute = promisify(execFile);
/** What is installed stays here for the next run. */
const VENV = path.join(REPOSITORY, '.cache/client-python');

/** What test/lab/client/generated.py prints; the request unit of the background search is taken when that is done. */
const EXPECTED = {
  replayed: 'true',
  pages: [1, 1],
  distinct: true,
  dated: true,
  accepted: 'pending',
  polled: 'CompanyResult',
  lookups: ['FoundById', 'NotFoundById'],
  news: 'ObservationLookupResult',
  errors: ['invalid_search', 'invalid_api_key'],
};

/** Whether the generator is there, or could be had from the Python package index. */
export async function installGenerator(): Promise<boolean> {
  const requirements = path.join(import.meta.dirname, 'requirements.txt');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements];
  try {
    await execute('python3', ['-m', 'venv', VENV]);
    await execute(path.join(VENV, 'bin/python'), pip);
    return true;
  } catch {
    return false;
  }
}

/** Generates a client for Python from the document of the gateway, without a warning, and lets it call that gateway. */
export async function checkPython(say: Say, folder: string, { gateway, apiKey }: Subscriber): Promise<void> {
  const bin = path.join(VENV, 'bin');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: folder };
  await makeCheck(say, 'python', 'the document generates a client without a warning', async () => {
    const document = path.join(folder, 'openapi.json');
    await writeFile(document, await (await fetch(`${gateway}/openapi.json`)).text());
    const target = path.join(folder, 'company_evidence_search_client');
    const options = ['--path', document, '--meta', 'none', '--output-path', target, '--fail-on-warning'];
    await execute(path.join(bin, 'openapi-python-client'), ['generate', ...options], { env });
    return (await execute(path.join(bin, 'openapi-python-client'), ['--version'], { env })).stdout;
  });
  await makeCheck(say, 'python', 'it searches, pages, polls, looks up and is refused', async () => {
    const program = path.join(import.meta.dirname, 'generated.py');
    const known = { ...env, CES_GATEWAY_URL: gateway, CES_TOKEN: apiKey };
    const { stdout } = await execute(path.join(bin, 'python'), [program], { env: known });
    const { request_units, ...saw } = JSON.parse(stdout) as { readonly request_units: number };
    if (!isDeepStrictEqual(saw, EXPECTED)) throw new Error(stdout);
    return `${request_units} request units for two pages, a replay, a search in the background and two look-ups`;
  });
}
