import { createLogger } from '@ces/chassis/telemetry/log';
import { untilWaiting } from '@ces/test/support/until-waiting.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCompany, recordCompanies } from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';
import { loadResolutionVocabulary } from '../matching/vocabulary.ts';
import { fillNameKeys, startFillingNameKeys } from './fill-name-keys.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});
afterAll(() => service[Symbol.asyncDispose]());

test('normalising names waits for recordings of the companies, and holds no lock that they need', async () => {
  const companies = await recordCompanies(service, [aCompany('a'), aCompany('b'), aCompany('c')]);
  const [canonical = 0n, merged = 0n, last = 0n] = companies;
  await service.owner.query('update company set survivor_id = $1 where id = $2', [canonical, merged]);
  await service.owner.query(`update company set name_key = 'old' where id = any ($1)`, [[merged, last]]);
  await service.owner.query('delete from name_key_version');
  const recording = await service.owner.connect();
  try {
    await recording.query('begin');
    await recording.query('select from company where id = any ($1) for no key update', [[canonical, last]]);
    const filling = fillNameKeys(service.pool, loadResolutionVocabulary(), new AbortController().signal);
    filling.catch(() => undefined);
    await untilWaiting(service.pool);
    await recording.query('select from company where id = $1 for no key update nowait', [merged]);
    await recording.query('commit');
    await filling;
  } finally {
    recording.release(true);
  }
  const { rows } = await service.owner.query(`select from company where name_key = 'old'`);
  expect(rows).toEqual([]);
});

test('names are normalised by and by where Postgres ends who normalises them', async () => {
  await recordCompanies(service, [aCompany('d'), aCompany('e')]);
  await service.owner.query(`
    update company set name_key = 'old';
    delete from name_key_version;
    create sequence writes;
    create function end_first() returns trigger language plpgsql security definer as $$
    begin
      if nextval('writes') <= 2 then raise exception 'ended' using errcode = 'deadlock_detected'; end if;
      return new;
    end $$;
    create trigger end_first before update on company for each statement execute function end_first()`);
  await using _filling = startFillingNameKeys(service.pool, loadResolutionVocabulary(), createLogger('test', 'silent'));
  const without = async () => (await service.owner.query(`select from company where name_key = 'old'`)).rowCount;
  await expect.poll(without).toBe(0);
});
