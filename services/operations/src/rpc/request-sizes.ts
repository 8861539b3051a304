import type { RequestSizes } from '@ces/chassis/rpc/message-size';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';

/**
 * Twice the largest body of the public interface, in bytes. The bound protects against callers that
 * have not authenticated yet.
 */
const SUBMITTED_BYTES = 256 * 1024;

export const requestSizes: RequestSizes = { [OperationsService.typeName]: { '*': SUBMITTED_BYTES } };
