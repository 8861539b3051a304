import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { Broker } from '@ces/chassis/nats/broker';
import type { Logger } from '@ces/chassis/telemetry/log';
import { OperationReadySchema } from '@ces/proto/ces/events/v1/events_pb.ts';
import { operationReadySubject, type WorkQueueNames } from '@ces/proto/streams';
import type { UnpublishedJob } from '../db/outbox.ts';

/** The messages of jobs that wait: one a job, so that their count is how many wait (decision 0003). */
export class ReadyMessages {
  readonly #broker: Broker;
  readonly #queue: WorkQueueNames;
  readonly #logger: Logger;

  constructor(broker: Broker, queue: WorkQueueNames, logger: Logger) {
    this.#broker = broker;
    this.#queue = queue;
    this.#logger = logger;
  }

  /** The message of a job: the one that is in the stream, or a new one. Rejects where the broker does not confirm it. */
  async publish(job: UnpublishedJob): Promise<number> {
    const { operationId, accountId, publications, traceparent, message } = job;
    if (message !== undefined && (await this.#tellsOf(message, operationId))) return message;
    const payload = toBinary(OperationReadySchema, create(OperationReadySchema, { operationId }));
    const subject = operationReadySubject(this.#queue, accountId);
    const id = `${operationId}:${publications}`;
    return await this.#broker.publish(this.#queue, payload, id, { traceparent, subject });
  }

  /** Takes out the message of a job that waits no longer; where that fails it is delivered, and found to be of no use. */
  async remove(operationId: bigint, message: number): Promise<void> {
    try {
      if (await this.#tellsOf(message, operationId)) await this.#broker.remove(this.#queue, message);
    } catch (error) {
      this.#logger.debug({ err: error, operation_id: operationId }, 'message left in the stream');
    }
  }

  /** A stream that was lost and made anew gives the same numbers to other messages. */
  async #tellsOf(message: number, operationId: bigint): Promise<boolean> {
    const payload = await this.#broker.read(this.#queue, message);
    return payload !== undefined && operationOf(payload) === operationId;
  }
}

/** The operation that a message tells of. */
export function operationOf(payload: Uint8Array): bigint {
  return fromBinary(OperationReadySchema, payload).operationId;
}
