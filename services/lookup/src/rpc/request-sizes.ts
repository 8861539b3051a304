import { MAX_MESSAGE_BYTES, type RequestSizes } from '@ces/chassis/rpc/message-size';

export const requestSizes: RequestSizes = {
  'ces.lookup.v1.RecordService': {
    RecordCompanies: MAX_MESSAGE_BYTES,
    RecordEvidence: MAX_MESSAGE_BYTES,
    RecordClosings: MAX_MESSAGE_BYTES,
    RecordVerification: MAX_MESSAGE_BYTES,
  },
};
