import { create } from '@bufbuild/protobuf';
import { createLogger } from '@ces/chassis/telemetry/log';
import { RegisterSourceResponseSchema } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { expect, test } from 'vitest';
import { startFakeRecord } from '../../test-support/fake-record.ts';
import { startAcquisition } from '../../test-support/started-acquisition.ts';
import type { IngestTools } from '../ingest/ingest-document.ts';
import { sources } from '../sources/registry.ts';
import { SourceRegistrar, startRegistration } from './register-source.ts';

test('every registered source is known to the record with its terms as soon as the service runs', async () => {
  await using lookup = await startFakeRecord();
  await using _acquisition = await startAcquisition({ lookup, sources });
  await expect.poll(() => lookup.sources.size).toBe(sources.length);
  for (const { name, title, licence } of sources)
    expect(lookup.sources.get(name)).toMatchObject({
      title,
      licence: licence.name,
      licenceUri: licence.uri,
      attribution: licence.attribution,
    });
});

test('a record that does not answer is asked again later, and does not delay the end of the service', async () => {
  const registered: (string | undefined)[] = [];
  let down = true;
  const record = {
    registerSource: async ({ source }: { source?: { name?: string } }) => {
      registered.push(source?.name);
      if (down) throw new Error('down');
      return create(RegisterSourceResponseSchema);
    },
  } as unknown as IngestTools['record'];
  const registrar = new SourceRegistrar({ record });
  const logger = createLogger('test', 'silent');
  const one = startRegistration(registrar, sources, logger);
  await expect.poll(() => registered.length).toBe(1);
  await one[Symbol.asyncDispose]();
  await using _other = startRegistration(registrar, sources, logger);
  await expect.poll(() => registered.length).toBe(2);
  down = false;
  await expect.poll(() => registered.slice(2)).toEqual(sources.map(({ name }) => name));
});
