import type { Command } from 'commander';
import type { Runner } from './command.ts';
import type { Context } from './operator/context.ts';
import type { SubscriberContext } from './subscriber/context.ts';

export type Verb<C> = readonly [name: string, summary: string, load: () => Promise<Definition<C>>];

interface Definition<C> {
  define(command: Command, run: Runner<C>): void;
}

export const SUBSCRIBER_VERBS: readonly Verb<SubscriberContext>[] = [
  ['search', 'Search companies by what they do or what happened to them.', () => import('./commands/search.ts')],
  ['lookup', 'Look up companies by at most 20 ids or 20 domains.', () => import('./commands/lookup.ts')],
  [
    'observations',
    'Show one observation, or new observations of domains since an instant.',
    () => import('./commands/observations.ts'),
  ],
  ['usage', 'Show the usage and the remaining allowance of the subscription.', () => import('./commands/usage.ts')],
  ['usages', 'List the operations of the account, newest first, free of charge.', () => import('./commands/usages.ts')],
  [
    'statement',
    'List the settled entries of an interval with totals, free of charge.',
    () => import('./commands/statement.ts'),
  ],
  [
    'watch',
    'Repeat a search at an interval and show new results. States the price first.',
    () => import('./commands/watch.ts'),
  ],
  ['wait', 'Wait for an operation and show its result, free of charge.', () => import('./commands/wait.ts')],
];

export const SHELL_VERBS: readonly Verb<SubscriberContext>[] = [
  ['login', 'Store the API key for an address, after a check of the key.', () => import('./commands/login.ts')],
  ['logout', 'Delete the stored API key for an address.', () => import('./commands/logout.ts')],
  ['completion', 'Print the completion script for a shell.', () => import('./commands/completion.ts')],
  ['complete', 'List the completions of a command line.', () => import('./commands/complete.ts')],
];

export const ACCOUNT_VERBS: readonly Verb<Context>[] = [
  ['init', 'Create an account, its subscription and a key. Asks four questions.', () => import('./commands/init.ts')],
  ['account', 'Create and list accounts.', () => import('./commands/account.ts')],
  [
    'subscription',
    'Create, change and show subscriptions: plan, status and limits.',
    () => import('./commands/subscription.ts'),
  ],
  ['plan', 'Show plans and their limits.', () => import('./commands/plan.ts')],
  [
    'api-key',
    'Issue, list, rotate and revoke API keys. A key is shown only once.',
    () => import('./commands/api-key.ts'),
  ],
];

export const OPERATOR_VERBS: readonly Verb<Context>[] = [
  [
    'import',
    'Import companies and observations from a folder or files. Safe to repeat.',
    () => import('./commands/import.ts'),
  ],
  ['source', 'Show, run and configure sources.', () => import('./commands/source.ts')],
  ['evidence', 'Show, withdraw, restore and verify evidence.', () => import('./commands/evidence.ts')],
  ['company', 'Merge and split companies.', () => import('./commands/company.ts')],
  ['index', 'Show and rebuild the search index.', () => import('./commands/index-admin.ts')],
  ['ledger', 'Verify the ledger.', () => import('./commands/ledger.ts')],
  ['operations', 'List, show, requeue and reconcile operations.', () => import('./commands/operations.ts')],
  ['trace', 'Show the spans of one request. The stack must run with --trace.', () => import('./commands/trace.ts')],
  [
    'after-restore',
    'Reconcile services after a database restore. Exit code 1: something needs manual repair.',
    () => import('./commands/after-restore.ts'),
  ],
  ['audit', 'List changes with person and reason, newest first.', () => import('./commands/audit.ts')],
  ['operator', 'Create tokens for operators.', () => import('./commands/operator.ts')],
  [
    'doctor',
    'Check every part and say what to fix. Exit code 1: a part is broken.',
    () => import('./commands/doctor.ts'),
  ],
  [
    'config',
    'List every setting with its meaning, default and value in this environment.',
    () => import('./commands/config.ts'),
  ],
];
