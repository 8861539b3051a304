import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Broker } from '@ces/chassis/nats/broker';
import type { Logger } from '@ces/chassis/telemetry/log';
import { OperationReadySchema } from '@ces/proto/ces/events/v1/events_pb.ts';
import { operationReadySubject, type WorkQueueNames } from '@ces/proto/streams';
import type { UnpublishedJob } from '../db/outbox.ts';

/** One message for each waiting job, so that their count is the queue length (decision 0003). */
export class ReadyMessages {
  readonly #broker: Broker;
  readonly #queue: WorkQueueNames;
  readonly #logger: Logger;

  constructor(broker: Broker, queue: WorkQueueNames, logger: Logger) {
    this.#broker = broker;
    this.#queue = queue;
    this.#logger = logger;
  }

  /** Returns the sequence number. Rejects when the broker does not confirm it. */
  async publish(job: UnpublishedJob): Promise<number> {
    const { operationId, accountId, publications, traceparent, message } = job;
    if (message !== undefined && (await this.#isMessageOf(message, operationId))) return message;
    const payload = toBinary(OperationReadySchema, create(OperationReadySchema, { operationId }));
    const subject = operationReadySubject(this.#queue, accountId);
    const id = `${operationId}:${publications}`;
    return await this.#broker.publish(this.#queue, payload, id, { traceparent, subject });
  }

  /** Removes the message of a job that waits no more. If that fails, a delivery is ignored. */
  async remove(operationId: bigint, message: number): Promise<void> {
    try {
      if (await this.#isMessageOf(message, operationId)) await this.#broker.remove(this.#queue, message);
    } catch (error) {
      this.#logger.debug({ err: error, operation_id: operationId }, 'message left in the stream');
    }
  }

  /** A stream that was lost and rebuilt gives the same sequence numbers to other messages. */
  async #isMessageOf(message: number, operationId: bigint): Promise<boolean> {
    const payload = await this.#broker.read(this.#queue, message);
    return payload !== undefined && operationOf(payload) === operationId;
  }
}

export function operationOf(payload: Uint8Array): bigint {
  return fromBinary(OperationReadySchema, payload).operationId;
}
