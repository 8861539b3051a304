import type { Source } from '../connector/source.ts';
import { ashby } from './ashby/source.ts';
import { canadabuys } from './canadabuys/source.ts';
import { canadabuysAwards } from './canadabuys-awards/source.ts';
import { cim } from './cim/source.ts';
import { ecccGhgrp } from './eccc-ghgrp/source.ts';
import { fbo } from './fbo/source.ts';
import { gleif } from './gleif/source.ts';
import { greenhouse } from './greenhouse/source.ts';
import { lever } from './lever/source.ts';
import { ocds } from './ocds/source.ts';
import { openfda510k } from './openfda-510k/source.ts';
import { openfdaPma } from './openfda-pma/source.ts';
import { samApi } from './sam-api/source.ts';
import { samEntity } from './sam-entity/source.ts';
import { sbirAwards } from './sbir-awards/source.ts';
import { sbirSolicitations } from './sbir-solicitations/source.ts';
import { sec8k } from './sec-8k/source.ts';
import { secFormD } from './sec-form-d/source.ts';
import { secProfiles } from './sec-profiles/source.ts';
import { smartrecruiters } from './smartrecruiters/source.ts';
import { usaspendingRecipients } from './usaspending-recipients/source.ts';

/** A new source needs its folder and a line here. */
export const sources: readonly Source[] = [
  ashby,
  canadabuys,
  canadabuysAwards,
  cim,
  ecccGhgrp,
  fbo,
  gleif,
  greenhouse,
  lever,
  ocds,
  openfda510k,
  openfdaPma,
  samApi,
  samEntity,
  sbirAwards,
  sbirSolicitations,
  sec8k,
  secFormD,
  secProfiles,
  smartrecruiters,
  usaspendingRecipients,
];
