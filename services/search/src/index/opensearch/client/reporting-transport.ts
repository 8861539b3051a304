import { Transport } from '@opensearch-project/opensearch';
import type { TransportRequestParams } from '@opensearch-project/opensearch/lib/Transport.js';
import { failureOfRequest } from './failures.ts';

const READS = /\/_(search|msearch|count|mget|analyze|termvectors|mtermvectors)$/;

export class ReportingTransport extends Transport {
  override request(...[params, options, callback]: Parameters<Transport['request']>): never {
    const maxRetries = options?.maxRetries ?? (isRead(params) ? 1 : 0);
    const { method, path } = params;
    const answer = super.request(params, { ...options, maxRetries }, callback);
    if (callback) return answer as never;
    const reported = Promise.resolve(answer).catch((error: unknown) => {
      throw failureOfRequest(error, `${method} ${path}`);
    });
    return Object.assign(reported, { abort: () => answer.abort() }) as never;
  }
}

function isRead({ method, path }: TransportRequestParams): boolean {
  return method === 'GET' || method === 'HEAD' || READS.test(path);
}
