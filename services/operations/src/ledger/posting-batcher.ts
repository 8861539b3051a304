import type { MessageInitShape } from '@bufbuild/protobuf';
import { answerOfCase, toBatchAnswer } from '@ces/chassis/rpc/batch-answer';
import { type BatchAnswer, type BatchedCall, batchCalls } from '@ces/chassis/rpc/batch-calls';
import {
  type ChargeRequestSchema,
  type ChargeResponse,
  LedgerService,
  type PostingAnswer,
  type PostingSchema,
  type ReserveRequestSchema,
  type ReserveResponse,
  type SettleRequestSchema,
  type SettleResponse,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { CallOptions, Client } from '@connectrpc/connect';

type Posting = Exclude<MessageInitShape<typeof PostingSchema>['posting'], undefined | { case?: undefined }>;
type Answer = Exclude<PostingAnswer['answer'], { case: 'refusal' | undefined }>;
interface Bound {
  readonly timeoutMs: number;
}

export class PostingBatcher {
  readonly #post: BatchedCall<Posting, Answer>;

  constructor(client: Client<typeof LedgerService>) {
    this.#post = batchCalls<Posting, Answer>({
      typeName: LedgerService.typeName,
      callOne: (posting, options) => postOne(client, posting, options),
      callBatch: (postings, options) => postBatch(client, postings, options),
    });
  }

  async reserve(request: MessageInitShape<typeof ReserveRequestSchema>, bound: Bound): Promise<ReserveResponse> {
    return answerOfCase('reserve', await this.#post({ case: 'reserve', value: request }, bound));
  }

  async settle(request: MessageInitShape<typeof SettleRequestSchema>, bound: Bound): Promise<SettleResponse> {
    return answerOfCase('settle', await this.#post({ case: 'settle', value: request }, bound));
  }

  async charge(request: MessageInitShape<typeof ChargeRequestSchema>, bound: Bound): Promise<ChargeResponse> {
    return answerOfCase('charge', await this.#post({ case: 'charge', value: request }, bound));
  }
}

async function postOne(client: Client<typeof LedgerService>, posting: Posting, options: CallOptions): Promise<Answer> {
  switch (posting.case) {
    case 'reserve':
      return { case: 'reserve', value: await client.reserve(posting.value, options) };
    case 'settle':
      return { case: 'settle', value: await client.settle(posting.value, options) };
    case 'charge':
      return { case: 'charge', value: await client.charge(posting.value, options) };
  }
}

async function* postBatch(
  client: Client<typeof LedgerService>,
  postings: readonly Posting[],
  options: CallOptions,
): AsyncGenerator<readonly BatchAnswer<Answer>[]> {
  const request = { postings: postings.map((posting) => ({ posting })) };
  for await (const { answers } of client.post(request, options)) yield answers.map((one) => toBatchAnswer<Answer>(one));
}
