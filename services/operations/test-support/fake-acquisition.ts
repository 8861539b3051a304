import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AcquireRequest,
  type AcquireResponseSchema,
  AcquireStop,
  AcquisitionService,
} from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';

export class FakeAcquisition {
  readonly requests: AcquireRequest[] = [];
  answer: (
    request: AcquireRequest,
  ) => Promise<MessageInitShape<typeof AcquireResponseSchema>> | MessageInitShape<typeof AcquireResponseSchema> =
    () => ({
      stop: AcquireStop.EXHAUSTED,
    });

  readonly register = (router: ConnectRouter): void => {
    router.service(AcquisitionService, {
      acquire: async (request) => {
        this.requests.push(request);
        return await this.answer(request);
      },
    });
  };
}
