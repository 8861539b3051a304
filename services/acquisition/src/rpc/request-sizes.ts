import type { RequestSizes } from '@ces/chassis/rpc/message-size';
import { MAX_CHUNK_BYTES } from './ingest-document.ts';

/** Upper bound of the message framing around a chunk, in bytes. */
const FRAME_BYTES = 1024;

export const requestSizes: RequestSizes = {
  'ces.acquisition.v1.AcquisitionAdminService': { IngestDocument: MAX_CHUNK_BYTES + FRAME_BYTES },
};
