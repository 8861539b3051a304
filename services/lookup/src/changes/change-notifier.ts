import { create, toBinary } from '@bufbuild/protobuf';
import type { Broker, WorkQueue } from '@ces/chassis/nats/broker';
import type { Logger } from '@ces/chassis/telemetry/log';
import { EvidenceChangedSchema } from '@ces/proto/ces/events/v1/events_pb.ts';

/** Tells readers that the change list has grown. Losing a ring costs them at most their own polling interval. */
export interface EvidenceBell {
  /** Call it after the commit of transaction `tx`; it returns at once. */
  ring(tx: bigint): void;
}

/** Rings one bell at a time: what is noted while one is on its way shares the next. */
export function createEvidenceBell(broker: Broker, queue: WorkQueue, logger: Logger): EvidenceBell {
  let pending: bigint | undefined;
  let ringing = false;

  async function ringPending(): Promise<void> {
    ringing = true;
    while (pending !== undefined) {
      const tx = String(pending);
      pending = undefined;
      const payload = toBinary(EvidenceChangedSchema, create(EvidenceChangedSchema, { tx }));
      await broker
        .publish(queue, payload, `evidence-${tx}`)
        .catch((error: unknown) => logger.debug({ err: error, tx }, 'bell not rung'));
    }
    ringing = false;
  }

  return {
    ring(tx) {
      pending = pending === undefined || tx > pending ? tx : pending;
      if (!ringing) void ringPending();
    },
  };
}
