import type { MessageInitShape } from '@bufbuild/protobuf';
import { answerOfCase, toBatchAnswer } from '@ces/chassis/rpc/batch-answer';
import { type BatchAnswer, type BatchedCallOptions, batchCalls } from '@ces/chassis/rpc/batch-calls';
import {
  type HydrateRequestSchema,
  type HydrateResponse,
  type LookUpCompaniesRequestSchema,
  type LookUpCompaniesResponse,
  LookupService,
  type ReadAnswer,
  type SingleReadSchema,
} from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { CallOptions, Client } from '@connectrpc/connect';

const MOST = 50;

type Read = Exclude<MessageInitShape<typeof SingleReadSchema>['read'], undefined | { case?: undefined }>;
type Answer = Exclude<ReadAnswer['answer'], { case: 'refusal' | undefined }>;

export type Lookup = Omit<Client<typeof LookupService>, 'lookUpCompanies' | 'hydrate'> & {
  lookUpCompanies(
    request: MessageInitShape<typeof LookUpCompaniesRequestSchema>,
    options: BatchedCallOptions,
  ): Promise<LookUpCompaniesResponse>;
  hydrate(
    request: MessageInitShape<typeof HydrateRequestSchema>,
    options: BatchedCallOptions,
  ): Promise<HydrateResponse>;
};

/** Batches concurrent `lookUpCompanies` and `hydrate` requests into shared calls. */
export function batchReads(client: Client<typeof LookupService>): Lookup {
  const read = batchCalls<Read, Answer>({
    typeName: LookupService.typeName,
    most: MOST,
    callOne: (one, options) => readOne(client, one, options),
    callBatch: (reads, options) => readBatch(client, reads, options),
  });
  return {
    ...client,
    lookUpCompanies: async (request, options) =>
      answerOfCase('lookUpCompanies', await read({ case: 'lookUpCompanies', value: request }, options)),
    hydrate: async (request, options) =>
      answerOfCase('hydrate', await read({ case: 'hydrate', value: request }, options)),
  };
}

async function readOne(client: Client<typeof LookupService>, read: Read, options: CallOptions): Promise<Answer> {
  return read.case === 'hydrate'
    ? { case: 'hydrate', value: await client.hydrate(read.value, options) }
    : { case: 'lookUpCompanies', value: await client.lookUpCompanies(read.value, options) };
}

async function* readBatch(
  client: Client<typeof LookupService>,
  reads: readonly Read[],
  options: CallOptions,
): AsyncGenerator<readonly BatchAnswer<Answer>[]> {
  for await (const { answers } of client.read({ reads: reads.map((read) => ({ read })) }, options))
    yield answers.map((one) => toBatchAnswer<Answer>(one));
}
