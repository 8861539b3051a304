import type { Pool } from '@ces/chassis/postgres/pool';
import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Client } from '@connectrpc/connect';

export interface IngestTools {
  readonly pool: Pool;
  readonly record: Client<typeof RecordService>;
  readonly clock: Clock;
  readonly logger: Logger;
}
