import type { Command } from 'commander';
import type { Context, Runner, SubscriberContext } from './command.ts';

/** A verb or a group of verbs at the first level. `load` imports its module on demand. */
export type Verb<C> = readonly [name: string, summary: string, load: () => Promise<Definition<C>>];

interface Definition<C> {
  define(command: Command, run: Runner<C>): void;
}

export const SUBSCRIBER_VERBS: readonly Verb<SubscriberContext>[] = [
  ['search', 'searches companies by what they do or what happened to them', () => import('./commands/search.ts')],
  ['lookup', 'looks companies up, up to 20 ids or 20 domains', () => import('./commands/lookup.ts')],
  [
    'observations',
    'shows one, or what was recorded since an instant of some domains',
    () => import('./commands/observations.ts'),
  ],
  ['usage', 'shows what the subscription has used and what it may use', () => import('./commands/usage.ts')],
  ['usages', "lists the account's own operations, newest first; costs nothing", () => import('./commands/usages.ts')],
  [
    'statement',
    'lists what was settled in an interval, with totals; costs nothing',
    () => import('./commands/statement.ts'),
  ],
  [
    'watch',
    'shows what is new of a search, round by round, at the price it names',
    () => import('./commands/watch.ts'),
  ],
  ['wait', 'waits for an operation and shows its result; costs nothing', () => import('./commands/wait.ts')],
];

export const SHELL_VERBS: readonly Verb<SubscriberContext>[] = [
  ['completion', 'prints what makes a shell complete ces', () => import('./commands/completion.ts')],
  ['complete', 'lists what may stand next', () => import('./commands/complete.ts')],
];

export const ACCOUNT_VERBS: readonly Verb<Context>[] = [
  ['init', 'makes an account, its subscription and a key; asks four questions', () => import('./commands/init.ts')],
  ['account', 'customers, and who they are', () => import('./commands/account.ts')],
  ['subscription', 'what an account has bought: plan, status and numbers', () => import('./commands/subscription.ts')],
  ['plan', 'the plans and their numbers', () => import('./commands/plan.ts')],
  ['key', 'bearers of an account; a token is shown once, when it is issued', () => import('./commands/api-key.ts')],
];

export const OPERATOR_VERBS: readonly Verb<Context>[] = [
  [
    'import',
    'records companies.jsonl and observations.jsonl (.gz too); again adds nothing',
    () => import('./commands/import.ts'),
  ],
  ['source', 'where evidence comes from', () => import('./commands/source.ts')],
  ['evidence', 'what supports an observation, and taking it back', () => import('./commands/evidence.ts')],
  ['company', 'which companies are one', () => import('./commands/company.ts')],
  [
    'index',
    'the search index, which can always be rebuilt from the record',
    () => import('./commands/index-admin.ts'),
  ],
  ['ledger', 'whether every unit is where it belongs', () => import('./commands/ledger.ts')],
  ['operations', 'what subscribers asked for, and what became of it', () => import('./commands/operations.ts')],
  [
    'trace',
    'shows what one request did in every process, of a stack started with --trace',
    () => import('./commands/trace.ts'),
  ],
  [
    'after-restore',
    'makes services agree again after their databases were restored; exit code 1 if a person has to look',
    () => import('./commands/after-restore.ts'),
  ],
  ['audit', 'shows who changed what, and why, newest first', () => import('./commands/audit.ts')],
  ['operator', 'who may administer', () => import('./commands/operator.ts')],
  [
    'doctor',
    'looks at every part and says what to mend; exit code 1 when something is broken',
    () => import('./commands/doctor.ts'),
  ],
  [
    'config',
    'lists every setting: meaning, default, and what this environment says',
    () => import('./commands/config.ts'),
  ],
];
