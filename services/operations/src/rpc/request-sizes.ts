import type { RequestSizes } from '@ces/chassis/rpc/message-size';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';

/** Twice the largest body of the public interface, in bytes: whoever calls need not have shown yet who it is. */
const SUBMITTED_BYTES = 256 * 1024;

export const requestSizes: RequestSizes = { [OperationsService.typeName]: { '*': SUBMITTED_BYTES } };
