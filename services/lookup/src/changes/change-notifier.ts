import { create, toBinary } from '@bufbuild/protobuf';
import type { Broker, WorkQueue } from '@ces/chassis/nats/broker';
import type { Logger } from '@ces/chassis/telemetry/log';
import { EvidenceChangedSchema } from '@ces/proto/ces/events/v1/events_pb.ts';

/** A reader that misses a notification waits for its next poll. */
export interface ChangeNotifier {
  /** Call it after the commit of `tx`; undefined means no changes. Returns at once. */
  notify(tx: bigint | undefined): void;
}

/** One at a time. Transactions that commit meanwhile share the next one. */
export function createChangeNotifier(broker: Broker, queue: WorkQueue, logger: Logger): ChangeNotifier {
  let pending: bigint | undefined;
  let publishing = false;

  async function publishPending(): Promise<void> {
    publishing = true;
    while (pending !== undefined) {
      const tx = String(pending);
      pending = undefined;
      const payload = toBinary(EvidenceChangedSchema, create(EvidenceChangedSchema, { tx }));
      await broker
        .publish(queue, payload, `evidence-${tx}`)
        .catch((error: unknown) => logger.debug({ err: error, tx }, 'notification not published'));
    }
    publishing = false;
  }

  return {
    notify(tx) {
      if (tx === undefined) return;
      pending = pending === undefined || tx > pending ? tx : pending;
      if (!publishing) void publishPending();
    },
  };
}
