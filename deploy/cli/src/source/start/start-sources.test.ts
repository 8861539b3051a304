import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  AcquisitionAdminService,
  type SetSourceRequest,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { RunState, SourceState } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ces, type FakeStack, startFakeStack } from '../../../test-support/fake-stack.ts';
import { openTerminal } from '../../../test-support/terminal.ts';
import { systemClock } from '../../command.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const HOUR_AGO = timestampFromDate(new Date('2026-11-21T11:00:00Z'));
const contact = { name: 'contact', description: 'contact for the User-Agent', required: true };
const apiKey = { name: 'api_key', description: 'key of an account', required: true, secret: true };
const boards = { name: 'boards', description: 'boards', required: true };
const on = { verified: true, fetched: true, state: SourceState.ENABLED, everyMinutes: 180 };

let stack: FakeStack;
let begun: string[];
let looks: number;
let set: SetSourceRequest[];
let outcome: {
  readonly state: RunState;
  readonly failure?: string;
  readonly bytes?: bigint;
  readonly records?: bigint;
};

beforeAll(async () => {
  stack = await startFakeStack({
    search: (router) =>
      router.service(SearchAdminService, {
        getIndexStatus: () => {
          looks += 1;
          return outcome.records && looks > 1 ? { observations: 40n, companies: 12n } : {};
        },
      }),
    acquisition: (router) =>
      router.service(AcquisitionAdminService, {
        listSources: () => ({
          schedules: true,
          sources: [
            { ...on, name: 'tenders' },
            { ...on, name: 'grants', freshAt: HOUR_AGO },
            { ...on, name: 'filings', settings: [{ ...contact, set: set.length > 0 }] },
            { ...on, name: 'jobs', settings: [boards] },
            { ...on, name: 'notices', fetched: false, onDemand: true, settings: [apiKey] },
            { ...on, name: 'files', fetched: false },
            { ...on, name: 'draft', verified: false, state: SourceState.UNVERIFIED },
            { ...on, name: 'stopped', state: SourceState.DISABLED },
          ],
        }),
        setSource: (request) => {
          set.push(request);
          return {};
        },
        runSource: ({ name }) => ({ runId: BigInt(begun.push(name)) }),
        getRun: ({ runId }) => ({ run: { id: runId, source: begun[Number(runId) - 1] ?? '', ...outcome } }),
      }),
  });
});
beforeEach(() => {
  [begun, set, looks] = [[], [], 0];
  outcome = { state: RunState.DONE, records: 50n, bytes: 1_000n };
});
afterAll(() => stack[Symbol.asyncDispose]());

const clock = { ...systemClock, now: () => NOW.getTime() };
const start = (...more: readonly string[]) => ces(['sources', 'start', ...more], stack.env, { clock });

test('sources with all their settings are read, and each other source is named with its missing settings', async () => {
  const { exitCode, stdout, stderr } = await start();
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(begun).toEqual(['tenders']);
  expect(stdout).toMatch(/^tenders +done +50 /m);
  expect(stdout).toMatch(/^40 observations of 12 companies can be searched, the first after \d+ s\.$/m);
  expect(stdout).toContain('Read within its interval already: grants.');
  expect(stdout).toContain('Disabled by an operator: stopped.');
  expect(stdout).toContain(
    'Not read without a contact address: filings. Run npx ces source start --contact data@example.com.',
  );
  expect(stdout).toContain('Not asked without a key: notices (api_key). Set CES_SOURCE_SECRETS of acquisition.');
  expect(stdout).toContain('Not read without a list: jobs (boards).');
  expect(stdout).not.toMatch(/draft|files/);
});

test('a contact address lets the sources run that ask for one', async () => {
  expect((await start('--contact', 'data@example.com')).exitCode).toBe(0);
  expect(set.map(({ name, settings }) => [name, settings])).toEqual([['filings', { contact: 'data@example.com' }]]);
  expect(begun).toEqual(['tenders', 'filings']);
  expect((await start('--contact', 'nobody')).exitCode).toBe(2);
});

test.each([
  ['an address is given once for all', 'data@example.com\r', ['tenders', 'filings']],
  ['Enter skips it', '\r', ['tenders']],
])('a person at the terminal is asked for it: %s', async (_, keys, expected) => {
  const terminal = openTerminal();
  const running = ces(['source', 'start'], stack.env, { clock, stdin: terminal.stdin, stderr: terminal.stderr });
  await terminal.answer('E-mail address for filings?', keys);
  expect((await running).exitCode).toBe(0);
  expect(begun).toEqual(expected);
});

test('without an answer of any source it says so in one sentence and offers the sample', async () => {
  outcome = { state: RunState.FAILED, failure: 'tenders.example did not answer (ENOTFOUND)' };
  const env = { clock };
  const fresh = await ces(['source', 'start', '--json'], stack.env, env);
  expect(fresh.json()).toMatchObject({ searchable: { companies: 0, after_seconds: null } });
  const { stdout } = await start();
  expect(stdout.trim().split('\n')).toContain(
    'No source answered: check the Internet connection or set CES_ACQUISITION_PROXY, or take the fictional sample with npm run stop && npm start -- --fresh.',
  );
  expect(stdout).not.toContain('Not read without');
});

test('it returns when something can be searched, if that is all that is asked for', async () => {
  outcome = { state: RunState.RUNNING, records: 5n };
  const { exitCode, stdout } = await start('--until-searchable');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Reading continues in the service: npx ces source list.');
});
