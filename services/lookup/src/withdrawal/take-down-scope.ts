import type { MessageInitShape } from '@bufbuild/protobuf';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { TakeDownScope, TakeDownScopeSchema } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { normaliseHostname } from '@ces/proto/hostname';
import type { Scope } from '../db/take-down.ts';

export function readScope(message: TakeDownScope | undefined): Scope {
  const scope = message?.scope;
  switch (scope?.case) {
    case 'source':
      return { scope: 'source', subject: text('source', scope.value, 100) };
    case 'licence':
      return { scope: 'licence', subject: text('licence', scope.value, 200) };
    case 'companyId':
      if (scope.value < 1n) throw fail(FailureCode.INVALID_REQUEST, 'company_id must be at least 1.');
      return { scope: 'company', subject: String(scope.value) };
    case 'hostname': {
      const subject = normaliseHostname(scope.value);
      if (subject === undefined) throw fail(FailureCode.INVALID_REQUEST, 'hostname is none.');
      return { scope: 'hostname', subject };
    }
    case 'rawRecordHash':
      if (scope.value.length !== 32) throw fail(FailureCode.INVALID_REQUEST, 'raw_record_hash is not 32 bytes.');
      return { scope: 'raw_record', subject: Buffer.from(scope.value).toString('hex') };
    case undefined:
      throw fail(FailureCode.INVALID_REQUEST, 'scope is missing.');
  }
}

export function scopeMessage({ scope, subject }: Scope): MessageInitShape<typeof TakeDownScopeSchema> {
  switch (scope) {
    case 'company':
      return { scope: { case: 'companyId', value: BigInt(subject) } };
    case 'raw_record':
      return { scope: { case: 'rawRecordHash', value: new Uint8Array(Buffer.from(subject, 'hex')) } };
    default:
      return { scope: { case: scope, value: subject } };
  }
}

function text(name: string, value: string, max: number): string {
  if (value.trim() === '' || [...value].length > max || value.includes('\0'))
    throw fail(FailureCode.INVALID_REQUEST, `${name} must be 1 to ${max} characters.`);
  return value;
}
