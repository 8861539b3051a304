import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { type Command, Option } from 'commander';
import { type Answer, asChange, type Runner, type World } from '../command.ts';
import { makeKeyFile } from '../init/key-file.ts';
import type { Context } from '../operator/context.ts';
import { PLANS, type Plan } from '../operator/plans.ts';
import { refusalOf } from '../operator/rpc-refusal.ts';
import type { Stack } from '../operator/stack.ts';
import { list } from '../output/table.ts';
import { openQuestions, type Questions } from '../questions.ts';
import { Refusal } from '../refusal.ts';

interface InitRequest {
  readonly name: string;
  readonly plan: Plan;
  readonly mode: Mode;
  readonly keyFile: string | undefined;
}

const MODES = ['live', 'test'] as const;
type Mode = (typeof MODES)[number];

interface InitOptions {
  readonly name?: string;
  readonly plan?: Plan;
  readonly mode?: Mode;
  readonly keyFile?: string;
  readonly print?: boolean;
  readonly yes?: boolean;
}

const USUAL = { name: 'My company', plan: 'builder', mode: 'live', keyFile: 'ces.key' } as const;
const NOT_INTERACTIVE =
  'There is no terminal for questions: add --yes for the defaults, and --name, --plan, --mode, --key-file or --print for other values.';

export function define(verb: Command, run: Runner<Context>): void {
  const examples = ['init', 'init --yes', 'init --name "Example Agency" --plan professional --mode test --print'];
  asChange(verb, examples, 'set up by ces init')
    .option('--name <name>', 'name of the account')
    .addOption(new Option('--plan <plan>', 'plan of the subscription').choices(PLANS))
    .addOption(new Option('--mode <mode>', 'create a live key, or a test key of a sandbox account').choices(MODES))
    .option('--key-file <file>', 'write the key to this file, which only you can read')
    .addOption(new Option('--print', 'print the key, only once, instead of writing a file').conflicts('keyFile'))
    .option('--yes', 'ask no questions and use the defaults')
    .action(run(init));
}

async function init(context: Context, given: InitOptions): Promise<Answer> {
  const request = await readInitRequest(given, context);
  if (request.keyFile === undefined) return describe(await make(context.stack, request));
  await using file = await makeKeyFile(request.keyFile);
  const { token, ...made } = await make(context.stack, request);
  await file.keep(token);
  return describe({ ...made, key_file: file.path });
}

async function readInitRequest(given: InitOptions, world: World): Promise<InitRequest> {
  const { name, plan, mode, keyFile, print } = given;
  const isKeyKnown = keyFile !== undefined || print === true;
  const isAllKnown = name !== undefined && plan !== undefined && mode !== undefined && isKeyKnown;
  const questions = given.yes || isAllKnown ? undefined : await openQuestions(world, NOT_INTERACTIVE);
  return {
    name: name ?? (await questions?.text('Name of the account?', USUAL.name)) ?? USUAL.name,
    plan: plan ?? (await askPlan(questions)) ?? USUAL.plan,
    mode: mode ?? (await askMode(questions)) ?? USUAL.mode,
    keyFile: isKeyKnown ? keyFile : await askKeyFile(questions),
  };
}

async function askPlan(questions: Questions | undefined): Promise<Plan | undefined> {
  const choices = Object.fromEntries(PLANS.map((plan) => [plan, plan])) as Record<Plan, string>;
  return await questions?.choose('Which plan?', choices, USUAL.plan);
}

async function askMode(questions: Questions | undefined): Promise<Mode | undefined> {
  const choices = { live: 'live: real searches', test: 'test: a sandbox account without charges' };
  return await questions?.choose('Which key?', choices, USUAL.mode);
}

async function askKeyFile(questions: Questions | undefined): Promise<string | undefined> {
  const choices = {
    file: `into the file ${USUAL.keyFile}, which only you can read`,
    screen: 'on this screen, only once',
  };
  const place = await questions?.choose('Where should the key go?', choices, 'file');
  return place === 'screen' ? undefined : USUAL.keyFile;
}

interface Made {
  readonly account: number;
  readonly subscription: number;
  readonly key: number;
  readonly name: string;
  readonly plan: string;
  readonly mode: string;
  readonly token?: string;
  readonly key_file?: string;
}

async function make(stack: Stack, { name, plan, mode }: InitRequest): Promise<Made & { readonly token: string }> {
  const ledger = stack.client('ledger', LedgerAdminService);
  const { account } = await ledger.createAccount({ name, testMode: mode === 'test' });
  const accountId = account?.id ?? 0n;
  const { subscription } = await ledger
    .createSubscription({ accountId, plan, status: '' })
    .catch((error: unknown) =>
      stopped(
        error,
        `Account ${accountId} was created, but not its subscription`,
        `npx ces subscription create ${accountId} --plan ${plan}`,
      ),
    );
  const { credential, token } = await ledger
    .issueCredential({ accountId, label: 'init', scopes: [] })
    .catch((error: unknown) =>
      stopped(error, `Account ${accountId} has its subscription, but no key`, `npx ces api-key issue ${accountId}`),
    );
  const ids = { account: Number(accountId), subscription: Number(subscription?.id), key: Number(credential?.id) };
  return { ...ids, name, plan, mode, token };
}

/** Created rows stay: a second run would create them twice. */
function stopped(error: unknown, what: string, next: string): never {
  const { message, code } = refusalOf(error);
  throw new Refusal(`${what} (${message.replace(/\.$/, '')}): continue with ${next}.`, { code, cause: error });
}

function describe(made: Made): Answer {
  const facts = list([
    ['account', `${made.account} ${made.name}`],
    ['subscription', `${made.subscription} ${made.plan}`],
    [
      'API key',
      `${made.key} ${made.mode}${made.key_file === undefined ? ', shown only once' : ` in ${made.key_file}`}`,
    ],
  ]);
  const token = made.token ?? `$(cat ${quoted(made.key_file ?? '')})`;
  return {
    json: made,
    text: `${facts}\n\nNext:\n  export CES_TOKEN=${token}\n  npx ces search "cold storage companies opening a warehouse" --limit 3`,
  };
}

function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
