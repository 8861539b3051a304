import { Code, ConnectError } from '@connectrpc/connect';
import { metrics } from '@opentelemetry/api';
import { OpenSearchRefusal } from './failures.ts';

type Operation = 'rank' | 'literal' | 'bulk' | 'refresh';

export type ReportPartial = () => void;

export interface EngineMeter {
  time<T>(operation: Operation, work: (reportPartial: ReportPartial) => Promise<T>): Promise<T>;
}

const MS_PER_SECOND = 1000;

export function createEngineMeter(): EngineMeter {
  const meter = metrics.getMeter('ces');
  const requests = meter.createCounter('ces.search.engine.requests', {
    unit: '{request}',
    description: 'What the engine of the index was asked to do, by what came of it.',
  });
  const seconds = meter.createHistogram('ces.search.engine', {
    unit: 's',
    description: 'How long the engine of the index took.',
  });
  return {
    async time(operation, work) {
      const began = performance.now();
      let outcome = 'ok';
      try {
        return await work(() => {
          outcome = 'partial';
        });
      } catch (error) {
        outcome = outcomeOf(error);
        throw error;
      } finally {
        const attributes = { engine: 'opensearch', operation, outcome };
        requests.add(1, attributes);
        seconds.record((performance.now() - began) / MS_PER_SECOND, attributes);
      }
    },
  };
}

/** `rejected`: OpenSearch is reachable but has no capacity, such as a full disk. */
function outcomeOf(error: unknown): 'unavailable' | 'rejected' | 'failed' {
  if (!(error instanceof ConnectError)) return 'failed';
  if (error.cause instanceof OpenSearchRefusal) return 'rejected';
  return error.code === Code.Unavailable || error.code === Code.DeadlineExceeded ? 'unavailable' : 'failed';
}
