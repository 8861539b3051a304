import path from 'node:path';
import { FailureCode } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { HealthCheckResponse_ServingStatus } from '@ces/proto/grpc/health/v1/health_pb.ts';
import { REPOSITORY } from '@ces/topology/services';
import { build } from 'rolldown';
import type { Seen } from '../../interop/browser/page.ts';
import { evaluateAt, findChromium, startChromium } from '../support/chromium.ts';
import { makeCheck, type Say } from './row.ts';
import type { InteropServers } from './servers.ts';

const PAGE = path.join(REPOSITORY, 'test/interop/browser/page.ts');

export async function checkBrowser(say: Say, servers: InteropServers): Promise<void> {
  const { apiKey, charged } = await servers.subscribe({ windowRequestUnits: 1n });
  const program = await findChromium();
  if (program === undefined) throw new Error('chromium is not on the path');
  await using chromium = await startChromium(program);
  const script = await bundlePage();
  await makeCheck(say, 'browser', 'a page submits over gRPC-Web, replays, is refused, follows a stream', async () => {
    const html = `<!doctype html><title>interop</title><script>${script}</script>`;
    const expression = `callOverGrpcWeb(${JSON.stringify(servers.encrypted)}, ${JSON.stringify(apiKey)})`;
    const seen = await evaluateAt<Seen>(chromium, servers.encrypted, html, expression);
    const units = await charged();
    if (!asItShould(seen) || units !== 1) throw new Error(`${units} units, ${JSON.stringify(seen)}`);
    return `operation ${seen.first.id}, replayed, refused with retry_at, SERVING, over ${seen.protocol}`;
  });
}

function asItShould({ first, again, failure, health, protocol }: Seen): boolean {
  const charged = !first.replayed && first.requestUnits === '1' && again.replayed && again.id === first.id;
  const refused = failure.code === FailureCode.REQUEST_LIMIT_REACHED && failure.retryAt;
  return charged && refused && protocol === 'h2' && health === HealthCheckResponse_ServingStatus.SERVING;
}

async function bundlePage(): Promise<string> {
  const { output } = await build({
    input: PAGE,
    platform: 'browser',
    output: { format: 'iife', minify: true },
    write: false,
  });
  return output[0].code.replaceAll('</script', '<\\/script');
}
