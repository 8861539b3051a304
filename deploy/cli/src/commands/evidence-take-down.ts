import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ListTakeDownsResponseSchema,
  RecordService,
  type TakeDownScope,
  type TakeDownScopeSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { type Command, InvalidArgumentError } from 'commander';
import { id } from '../arguments.ts';
import { type Answer, addChange, addVerb, type Context, type Runner } from '../command.ts';
import { plain } from '../output/plain.ts';
import { brief, instant, table } from '../output/table.ts';
import { UsageError } from '../refusal.ts';

interface TakeDownOptions {
  readonly source?: string;
  readonly licence?: string;
  readonly company?: bigint;
  readonly hostname?: string;
  readonly rawRecord?: Uint8Array<ArrayBuffer>;
}

/** One call withdraws or restores about twenty thousand observations or passages. */
const TIMEOUT_MS = 120_000;
const REASON_WIDTH = 50;

export function addTakeDowns(group: Command, run: Runner): void {
  addChange(
    group,
    'take-down',
    'withdraws all of a source, licence, company, hostname or raw record, later records too',
    [
      'evidence take-down --source permits --reason "the publisher asks"',
      'evidence take-down --hostname acme.example --reason "court order 12"',
    ],
  )
    .option('--source <name>', 'what a source or an origin inside a data set brought')
    .option('--licence <name>', 'what sources of a licence brought')
    .option('--company <id>', 'a company with all that were merged with it', id)
    .option('--hostname <hostname>', 'the companies with this hostname')
    .option('--raw-record <sha256>', 'what was taken from a raw record, or an imported line', hash)
    .action(run(takeDown));

  addChange(group, 'lift', 'takes a take-down back and restores what it alone withdrew', [
    'evidence lift 1 --reason "settled"',
  ])
    .argument('<take-down-id>', 'the take-down', id)
    .action(run(lift));

  addVerb(group, 'take-downs', 'lists the take-downs that stand', ['evidence take-downs --all'])
    .option('--all', 'those that were lifted too')
    .action(run(list));
}

async function takeDown({ stack, reason }: Context, options: TakeDownOptions): Promise<Answer> {
  const scope = scopeOf(options);
  const record = stack.client('lookup', RecordService, TIMEOUT_MS);
  let [takeDownId, observations, evidence] = [0n, 0n, 0n];
  for (let more = true; more; ) {
    const answer = await record.takeDown({ scope: { scope }, reason });
    takeDownId = answer.takeDownId;
    observations += answer.observations;
    evidence += answer.evidence;
    more = answer.hasMore;
  }
  return {
    json: { take_down_id: takeDownId, observations, evidence },
    text: `Take-down ${takeDownId} stands: ${observations} observations and ${evidence} single passages were withdrawn now.`,
  };
}

async function lift({ stack, reason }: Context, takeDownId: bigint): Promise<Answer> {
  const record = stack.client('lookup', RecordService, TIMEOUT_MS);
  let [observations, evidence, changed] = [0n, 0n, false];
  for (let more = true; more; ) {
    const answer = await record.liftTakeDown({ takeDownId, reason });
    observations += answer.observations;
    evidence += answer.evidence;
    changed ||= answer.changed;
    more = answer.hasMore;
  }
  const restored = `${observations} observations and ${evidence} single passages were restored now.`;
  return {
    json: { take_down_id: takeDownId, observations, evidence, changed },
    text: `Take-down ${takeDownId} ${changed ? 'is' : 'was'} lifted${changed ? '' : ' before'}: ${restored}`,
  };
}

async function list({ stack }: Context, { all }: { all?: true }): Promise<Answer> {
  const answer = await stack.client('lookup', RecordService).listTakeDowns({ liftedToo: all ?? false });
  const rows = answer.takeDowns.map((one) => [
    one.id,
    words(one.scope),
    one.observations,
    one.caller,
    brief(one.reason, REASON_WIDTH),
    one.liftedAt ? brief(one.liftedReason, REASON_WIDTH) : '',
  ]);
  const json = plain(ListTakeDownsResponseSchema, answer);
  const entries = (json.take_downs ?? []) as { at?: string }[];
  return {
    json,
    text: table(
      ['take-down', 'since', 'covers', 'observations', 'by', 'reason', 'lifted'],
      rows.map(([first = '', ...others], index) => [first, instant(entries[index]?.at), ...others]),
    ),
  };
}

type ScopeShape = MessageInitShape<typeof TakeDownScopeSchema>['scope'];

function scopeOf({ source, licence, company, hostname, rawRecord }: TakeDownOptions): NonNullable<ScopeShape> {
  const given = [
    source !== undefined && ({ case: 'source', value: source } as const),
    licence !== undefined && ({ case: 'licence', value: licence } as const),
    company !== undefined && ({ case: 'companyId', value: company } as const),
    hostname !== undefined && ({ case: 'hostname', value: hostname } as const),
    rawRecord !== undefined && ({ case: 'rawRecordHash', value: rawRecord } as const),
  ].filter((one) => one !== false);
  const [scope] = given;
  if (!scope || given.length > 1)
    throw new UsageError('Name exactly one of --source, --licence, --company, --hostname and --raw-record.');
  return scope;
}

function words(scope: TakeDownScope | undefined): string {
  const { case: name, value } = scope?.scope ?? {};
  if (value === undefined) return '';
  return `${name === 'companyId' ? 'company' : name === 'rawRecordHash' ? 'raw record' : name} ${
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
  }`;
}

function hash(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('It must be 64 hexadecimal digits.');
  return new Uint8Array(Buffer.from(text, 'hex'));
}
