import { type CesAnswer, isAllowance, isUsage, type JsonObject, retryAfterMs, unexpectedAnswer } from './answer.ts';
import { CesError } from './error.ts';
import type { Allowance, Operation as Usage } from './generated/openapi.ts';
import type { CallOptions, OperationOptions } from './inputs.ts';
import { type CesRequest, withId } from './request.ts';
import { eitherSignal, orAbort, sleep } from './sleep.ts';
import type { Transport } from './transport.ts';

export interface Units {
  readonly request: number;
  readonly delivered: number;
  /** Observations that the operation itself recorded for the first time. */
  readonly fresh: number;
}

export interface PendingAnswer {
  readonly status: 'pending';
  readonly usage: Usage;
  readonly allowance: Allowance;
  readonly retryAfterMs: number;
}

export type OperationAnswer<Result> = { readonly status: 'done'; readonly result: Result } | PendingAnswer;

export interface DoneOptions extends CallOptions {
  readonly onProgress?: (answer: PendingAnswer) => void;
}

export interface OperationPlan<Result> {
  readonly submit: CesRequest;
  /** The poll request; default: GET /api/usages/{id}. */
  readonly poll?: CesRequest;
  readonly isResult: (body: JsonObject) => body is JsonObject & Result;
}

const DEFAULT_POLL_MS = 2_000;

/** A metered call; its idempotency key identifies it from the first attempt on. */
export class Operation<Result, Key extends string | undefined = string> {
  readonly #transport: Transport;
  readonly #plan: OperationPlan<Result>;
  readonly #options: OperationOptions;
  #submission: Promise<OperationAnswer<Result>> | undefined;
  #requestKey: string | undefined;
  #units: Units | undefined;
  #usageId: number | undefined;
  #requestId: string | undefined;
  #allowance: Allowance | undefined;
  #replayed = false;

  constructor(transport: Transport, plan: OperationPlan<Result>, options: OperationOptions = {}) {
    this.#transport = transport;
    this.#plan = plan;
    this.#options = options;
    this.#requestKey = plan.submit.requestKey;
  }

  /** The idempotency key. A resumed operation has it after its first answer. */
  get requestKey(): Key {
    return this.#requestKey as Key;
  }

  /** Units settled so far; undefined before the first answer. */
  get units(): Units | undefined {
    return this.#units;
  }

  /** The service knew the key before the last attempt, whose answer may have been lost. */
  get replayed(): boolean {
    return this.#replayed;
  }

  /** The id for polls and `resume`; undefined before the first answer. */
  get usageId(): number | undefined {
    return this.#usageId;
  }

  /** Identifies the last call in the logs of the service. */
  get requestId(): string | undefined {
    return this.#requestId;
  }

  get allowance(): Allowance | undefined {
    return this.#allowance;
  }

  /** A repeated call causes no further charge. Throws CesError, or the reason of a signal. */
  submit({ signal }: CallOptions = {}): Promise<OperationAnswer<Result>> {
    const sent = this.#send(this.#plan.submit, eitherSignal(signal, this.#options.signal));
    this.#submission = sent;
    sent.catch(() => {
      if (this.#submission === sent) this.#submission = undefined;
    });
    return sent;
  }

  /** Submits if necessary and polls for the result. Throws CesError, or the reason of a signal. */
  async done({ signal, onProgress }: DoneOptions = {}): Promise<Result> {
    const ends = eitherSignal(signal, this.#options.signal);
    let answer = await orAbort(this.#submission ?? this.submit({ ...(signal && { signal }) }), ends);
    while (answer.status === 'pending') {
      onProgress?.(answer);
      await sleep(answer.retryAfterMs, ends);
      answer = await this.#send(this.#plan.poll ?? pollOf(answer.usage), ends);
    }
    return answer.result;
  }

  async #send(request: CesRequest, signal: AbortSignal | undefined): Promise<OperationAnswer<Result>> {
    const { waitForAllowance } = this.#options;
    try {
      const answer = await this.#transport.send(request, { signal, waitForAllowance });
      this.#note(answer);
      return this.#read(request, answer);
    } catch (error) {
      if (error instanceof CesError) this.#noteFailure(error);
      throw error;
    }
  }

  #read(request: CesRequest, answer: CesAnswer): OperationAnswer<Result> {
    const { status, headers, body } = answer;
    const { usage, request_allowance: allowance } = body;
    if (status === 200 && this.#plan.isResult(body)) return { status: 'done', result: body };
    if (status !== 202 || !isUsage(usage) || !isAllowance(allowance)) throw unexpectedAnswer(request, answer);
    return { status: 'pending', usage, allowance, retryAfterMs: retryAfterMs(headers) ?? DEFAULT_POLL_MS };
  }

  #note({ headers, body }: CesAnswer): void {
    const { usage, request_allowance: allowance } = body;
    this.#requestId = headers.get('x-request-id') ?? undefined;
    this.#replayed ||= headers.get('idempotent-replayed') === 'true';
    this.#noteUsage(isUsage(usage) ? usage : undefined, isAllowance(allowance) ? allowance : undefined);
    this.#units = parseUnits(headers.get('units-settled')) ?? this.#units;
    this.#usageId ??= parseId(headers.get('usage-id'));
  }

  #noteFailure({ requestId, usage, allowance }: CesError): void {
    this.#requestId = requestId;
    this.#noteUsage(usage, allowance);
  }

  #noteUsage(usage: Usage | undefined, allowance: Allowance | undefined): void {
    if (allowance) this.#allowance = allowance;
    if (!usage) return;
    this.#usageId = usage.id;
    this.#requestKey ??= usage.request_key;
    this.#units = {
      request: usage.request_units,
      delivered: usage.delivered_units,
      fresh: usage.fresh_evidence_units,
    };
  }
}

function pollOf({ id }: Usage): CesRequest {
  return { method: 'GET', path: withId('/api/usages', id) };
}

/** Format: `request=1, delivered=7, fresh=3`. */
function parseUnits(header: string | null): Units | undefined {
  const [, request, delivered, fresh] = /^request=(\d+), delivered=(\d+), fresh=(\d+)$/.exec(header ?? '') ?? [];
  if (fresh === undefined) return undefined;
  return { request: Number(request), delivered: Number(delivered), fresh: Number(fresh) };
}

function parseId(header: string | null): number | undefined {
  return header && /^\d+$/.test(header) ? Number(header) : undefined;
}
