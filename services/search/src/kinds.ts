import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';

/** Every kind of observation. */
export const KINDS = (Object.values(Kind) as (Kind | string)[]).filter(
  (kind): kind is Kind => typeof kind === 'number' && kind !== Kind.UNSPECIFIED,
);
