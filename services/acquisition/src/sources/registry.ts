import { canadabuys } from './canadabuys/source.ts';
import { canadabuysAwards } from './canadabuys-awards/source.ts';
import { cim } from './cim/source.ts';
import { fbo } from './fbo/source.ts';
import { gleif } from './gleif/source.ts';
import { greenhouse } from './greenhouse/source.ts';
import { lever } from './lever/source.ts';
import { newsrooms } from './newsrooms/source.ts';
import { ocds } from './ocds/source.ts';
import { samApi } from './sam-api/source.ts';
import { samCsv } from './sam-csv/source.ts';
import { sec8k } from './sec-8k/source.ts';
import { secFormD } from './sec-form-d/source.ts';
import { secProfiles } from './sec-profiles/source.ts';
import type { Source } from './source.ts';

/** Every source there is; adding one is its folder and its line here. */
export const sources: readonly Source[] = [
  canadabuys,
  canadabuysAwards,
  cim,
  fbo,
  gleif,
  greenhouse,
  lever,
  newsrooms,
  ocds,
  samApi,
  samCsv,
  sec8k,
  secFormD,
  secProfiles,
];
