import type { ServiceName } from '@ces/topology/services';
import { GENERAL, SECRETS } from './general.ts';
import { JOBS } from './jobs.ts';
import { settings } from './kinds.ts';
import { NETWORK } from './network.ts';
import { PROGRAM } from './program.ts';
import { SEARCH } from './search.ts';
import { SERVERS } from './servers.ts';
import { TELEMETRY } from './telemetry.ts';
import { group, type Value } from './value.ts';

export const COMPONENTS: Readonly<Record<ServiceName, { readonly description: string; readonly values: object }>> = {
  gateway: { description: 'REST and MCP.', values: {} },
  operations: { description: 'Operations, their runs and results.', values: {} },
  ledger: { description: 'Accounts, credentials, units.', values: {} },
  lookup: { description: 'The record of companies and evidence.', values: {} },
  search: {
    description: 'The index and ranking.',
    values: { resources: { requests: { cpu: '250m', memory: '768Mi' }, limits: { memory: '1536Mi' } } },
  },
  acquisition: {
    description: 'Sources; the one program with a way to the Internet.',
    values: { replicas: 1, minAvailable: 0 },
  },
};

export const VALUES: Readonly<Record<string, Value>> = {
  ...GENERAL,
  settings: settings('Settings of every program that has them, by their names in `ces config`; never a secret.'),
  defaults: group('What holds for every program unless its own entry in `components` says otherwise.', PROGRAM),
  ...SERVERS,
  ...SEARCH,
  ...SECRETS,
  ...NETWORK,
  ...TELEMETRY,
  ...JOBS,
};
