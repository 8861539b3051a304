import { create } from '@bufbuild/protobuf';
import {
  Health,
  HealthCheckResponseSchema,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@ces/proto/grpc/health/v1/health_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';

export function registerHealth(router: ConnectRouter): void {
  const serving = () => create(HealthCheckResponseSchema, { status: ServingStatus.SERVING });
  router.service(Health, {
    check: serving,
    async *watch(_request, context) {
      yield serving();
      context.signal.throwIfAborted();
      await new Promise<never>((_, reject) =>
        context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true }),
      );
    },
  });
}
