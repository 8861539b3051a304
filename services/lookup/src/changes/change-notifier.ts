import { create, toBinary } from '@bufbuild/protobuf';
import type { Broker, WorkQueue } from '@ces/chassis/nats/broker';
import type { Logger } from '@ces/chassis/telemetry/log';
import { EvidenceChangedSchema } from '@ces/proto/ces/events/v1/events_pb.ts';

/** Wakes readers when the change feed has grown. Losing a notification costs them at most their own polling interval. */
export interface ChangeNotifier {
  /** Call it after the commit of transaction `tx`, undefined when that changed nothing; it returns at once. */
  notify(tx: bigint | undefined): void;
}

/** Publishes one notification at a time: what is appended while one is on its way shares the next. */
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
