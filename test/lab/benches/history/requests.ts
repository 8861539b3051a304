import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { createPayer, type Payer, QUIET_ACCOUNTS } from './accounts.ts';
import { type Subject, timed } from './alternately.ts';
import type { RunningSystem } from './system.ts';
import type { Pair } from './tasks.ts';
import { type PublicCall, QUERIES, type Subject as SampleSubject, send } from './templates.ts';

/** A search of the generated past that can be asked for again. */
export interface Kept {
  readonly id: bigint;
  readonly payer: Payer;
  readonly requestKey: string;
  readonly call: PublicCall;
}

export interface Asked {
  readonly running: RunningSystem;
  readonly payers: readonly Payer[];
  readonly subjects: readonly SampleSubject[];
  readonly young: readonly Kept[];
  /** The oldest kept operations. Without a history, operations of the last day. */
  readonly old: readonly Kept[];
  /** Operations of which only the idempotency key is left. */
  readonly retired: readonly Kept[];
}

const POLL_MS = 20;
const ATTEMPTS = 5;
const ASK_AGAIN_MS = 200;

export function requestSubjects(asked: Pair<Asked>): Subject[] {
  const subject = (what: string, step: (on: Asked) => (turn: number) => Promise<number>, atMost?: number): Subject => ({
    what,
    step: { empty: step(asked.empty), history: step(asked.history) },
    ...(atMost !== undefined && { atMost }),
  });
  return [
    subject('company look-up by id', (on) => timed((turn) => metered(on, busy(on), lookUp(on, turn)))),
    subject('company look-up by domain', (on) =>
      timed((turn) =>
        metered(on, busy(on), { method: 'GET', path: `/api/companies?domains[]=${subjectAt(on, turn).hostname}` }),
      ),
    ),
    subject('observation look-up', (on) =>
      timed((turn) =>
        metered(on, busy(on), {
          method: 'GET',
          path: `/api/observations?domains[]=${subjectAt(on, turn).hostname}&since=2020-01-01T00:00:00Z`,
        }),
      ),
    ),
    subject('company search, first page', (on) => timed((turn) => metered(on, busy(on), search(turn)))),
    subject('company search, next page', nextPage),
    subject('company search in the background, to delivered', (on) => timed((turn) => inBackground(on, turn))),
    subject('replay by a young key', (on) => timed((turn) => replay(on, on.young, turn))),
    subject('replay by an old key', (on) => timed((turn) => replay(on, on.old, turn))),
    subject('replay by a retired key', (on) => timed((turn) => replay(on, on.retired, turn, 422))),
    subject('poll of a young operation', (on) => timed((turn) => poll(on, on.young, turn))),
    subject('poll of an old operation', (on) => timed((turn) => poll(on, on.old, turn))),
    subject('usage report of the busiest account', (on) => timed(() => report(on, busy(on)))),
    subject('usage report of an account that fell quiet', (on) => timed(() => report(on, on.payers[1]))),
    subject(
      'first look-up of an account that fell quiet',
      (on) => timed((turn) => metered(on, on.payers[on.payers.length - 1 - turn], lookUp(on, turn))),
      QUIET_ACCOUNTS,
    ),
    subject('first look-up of a new account', firstCall),
    subject('diagnostic', (on) =>
      timed((turn) => metered(on, payerAt(on, turn), { method: 'POST', path: '/api/diagnostics' })),
    ),
  ];
}

export function askedOf(running: RunningSystem, { payers, subjects }: Pick<Asked, 'payers' | 'subjects'>): Asked {
  return { running, payers, subjects, young: [], old: [], retired: [] };
}

export async function lookUpMany(on: Asked, count: number): Promise<void> {
  const turns = Array.from({ length: count }, (_, turn) => turn).values();
  const call = async () => {
    for (const turn of turns) await metered(on, payerAt(on, turn), lookUp(on, turn));
  };
  await Promise.all([call(), call(), call(), call()]);
}

function busy({ payers }: Asked): Payer | undefined {
  return payers[0];
}

function payerAt({ payers }: Asked, turn: number): Payer | undefined {
  return payers[2 + (turn % (payers.length - 2 - QUIET_ACCOUNTS))];
}

function subjectAt({ subjects }: Asked, turn: number): SampleSubject {
  return subjects[turn % subjects.length] ?? { companyId: 1, hostname: '' };
}

function lookUp(on: Asked, turn: number): PublicCall {
  return { method: 'GET', path: `/api/companies?ids[]=${subjectAt(on, turn).companyId}` };
}

function search(turn: number, more: object = {}): PublicCall {
  const body = { query: QUERIES[turn % QUERIES.length], limit: 5, target: 20, ...more };
  return { method: 'POST', path: '/api/companies/search', body };
}

function nextPage(on: Asked): (turn: number) => Promise<number> {
  return async (turn) => {
    const { next_cursor: cursor } = (await metered(on, busy(on), search(turn))) as { next_cursor: string };
    return await timed(() => metered(on, busy(on), search(turn, { cursor })))(turn);
  };
}

async function inBackground(on: Asked, turn: number): Promise<void> {
  const call = { ...search(turn, { background: true }), requestKey: randomUUID() };
  const { usage } = (await ask(on, busy(on), call, 202)) as { usage: { id: number } };
  for (;;) {
    const answer = await send(on.running.baseUrl, busy(on)?.token, { method: 'GET', path: `/api/usages/${usage.id}` });
    await answer.text();
    if (answer.status === 200) return;
    if (answer.status !== 202) throw new Error(`a background search was answered with ${answer.status}`);
    await pause(POLL_MS);
  }
}

async function replay(on: Asked, kept: readonly Kept[], turn: number, status = 200): Promise<void> {
  const one = kept[turn % kept.length];
  if (one) await ask(on, one.payer, { ...one.call, requestKey: one.requestKey }, status);
}

async function poll(on: Asked, kept: readonly Kept[], turn: number): Promise<void> {
  const one = kept[turn % kept.length];
  if (one) await ask(on, one.payer, { method: 'GET', path: `/api/usages/${one.id}` }, 200);
}

async function report(on: Asked, payer: Payer | undefined): Promise<void> {
  await ask(on, payer, { method: 'GET', path: '/api/usage' }, 200);
}

function firstCall(on: Asked): (turn: number) => Promise<number> {
  return async (turn) => {
    const payer = await createPayer(on.running.stack.client('ledger', LedgerAdminService));
    return await timed(() => metered(on, payer, lookUp(on, turn)))(turn);
  };
}

function metered(on: Asked, payer: Payer | undefined, call: PublicCall): Promise<unknown> {
  return ask(on, payer, { ...call, requestKey: randomUUID() }, 200);
}

/** Retries a 503 with the same idempotency key, as a client does. */
async function ask(on: Asked, payer: Payer | undefined, call: PublicCall, status: number): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(on.running.baseUrl, payer?.token, call);
    const text = await answer.text();
    if (answer.status === status) return JSON.parse(text);
    if (answer.status !== 503 || attempt === ATTEMPTS)
      throw new Error(`${on.running.name}: ${call.path} was answered with ${answer.status}: ${text}`);
    await pause(ASK_AGAIN_MS);
  }
}
