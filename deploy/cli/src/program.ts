import { readFileSync } from 'node:fs';
import { readSettings } from '@ces/chassis/service/settings';
import { visibleText } from '@ces/proto/visible-text';
import { Command, CommanderError } from 'commander';
import { type Context, isChange, type Runner, type World } from './command.ts';
import { addAccount } from './commands/account.ts';
import { addAfterRestore } from './commands/after-restore.ts';
import { addApiKey } from './commands/api-key.ts';
import { addAudit } from './commands/audit.ts';
import { addCompany } from './commands/company.ts';
import { addConfig } from './commands/config.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEvidence } from './commands/evidence.ts';
import { addImport } from './commands/import.ts';
import { addIndex } from './commands/index-admin.ts';
import { addLedger } from './commands/ledger.ts';
import { addLookup } from './commands/lookup.ts';
import { addObservations } from './commands/observations.ts';
import { addOperations } from './commands/operations.ts';
import { addOperator } from './commands/operator.ts';
import { addPlan } from './commands/plan.ts';
import { addSearch } from './commands/search.ts';
import { addSource } from './commands/source.ts';
import { addStatement } from './commands/statement.ts';
import { addSubscription } from './commands/subscription.ts';
import { addTrace } from './commands/trace.ts';
import { addUsage } from './commands/usage.ts';
import { addUsages } from './commands/usages.ts';
import { addWait } from './commands/wait.ts';
import { settings } from './config.ts';
import { openGateway } from './gateway.ts';
import { type Refusal, refusalOf, UsageError } from './refusal.ts';
import { findStack } from './stack.ts';

const USAGE_ERROR = 2;

const ADDERS = [
  [addSearch, addLookup, addObservations, addUsage, addUsages, addStatement, addWait],
  [addAccount, addSubscription, addPlan, addApiKey],
  [
    addImport,
    addSource,
    addEvidence,
    addCompany,
    addIndex,
    addLedger,
    addOperations,
    addTrace,
    addAfterRestore,
    addAudit,
    addOperator,
    addDoctor,
    addConfig,
  ],
];
const HEADINGS = ['Subscribers:', 'Accounts:', 'Operators:'];

/** Runs one command line and returns its exit code: 0 done, 1 refused, 2 wrong usage. */
export async function run(argv: readonly string[], world: World): Promise<number> {
  let exitCode = 0;
  const runner: Runner =
    (action) =>
    async (...parameters) => {
      const { json, text, failed } = await action(contextOf(world, parameters.at(-1)), ...parameters);
      world.stdout.write(wantsJson(argv) ? writeJson(json) : `${visibleText(text)}\n`);
      if (failed) exitCode = 1;
    };
  const program = createProgram(runner, world);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
    return report(refusalOf(error), wantsJson(argv), world);
  }
}

/** Every verb of `ces`, each calling `runner` with its action. */
export function createProgram(runner: Runner, world: Pick<World, 'stdout' | 'stderr'>): Command {
  const program = new Command('ces')
    .description('Company evidence search: for operators and subscribers.')
    .version(readVersion(), '--version', 'shows the version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
    })
    .showHelpAfterError('(add --help for arguments and examples)');
  ADDERS.forEach((adders, group) => {
    program.commandsGroup(HEADINGS[group] ?? '');
    for (const add of adders) add(program, runner);
  });
  return program;
}

function readVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return version;
}

/** Commander passes the verb last. */
function contextOf(world: World, verb: unknown): Context {
  const config = readSettings(settings, world.env);
  const reason = reasonOf(verb, config.reason);
  const stack = findStack(config, reason);
  const { dataDirectory } = config;
  return { ...world, stack, reason, dataDirectory, gateway: (options) => openGateway(stack, config.token, options) };
}

function reasonOf(verb: unknown, usual: string | undefined): string {
  if (!(verb instanceof Command)) return usual ?? '';
  const { reason = usual ?? '' } = verb.opts<{ reason?: string }>();
  if (reason.trim() === '' && isChange(verb))
    throw new UsageError('Say why: add --reason "…", or set CES_REASON; it is kept with your name.');
  return reason.trim();
}

function report(refusal: Refusal, json: boolean, world: World): number {
  if (json) world.stdout.write(writeJson(refusal.body));
  world.stderr.write(`ces: ${visibleText(refusal.message)}\n`);
  if (world.env.CES_DEBUG && refusal.cause instanceof Error) world.stderr.write(`${refusal.cause.stack}\n`);
  return refusal instanceof UsageError ? USAGE_ERROR : 1;
}

function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes('--json');
}

/** A value as indented JSON with a final newline; ids of the record fit into numbers, and no control reaches a terminal. */
function writeJson(value: unknown): string {
  const json = JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? Number(item) : item), 2);
  return `${json.replace(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)}\n`;
}
