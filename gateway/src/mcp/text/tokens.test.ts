import { expect, test } from 'vitest';
import { estimateTokens } from './tokens.ts';

/**
 * Texts, and the maximum count of o200k_base, cl100k_base and the published Claude 2 tokenizer for
 * twenty repetitions.
 */
test.each([
  [
    'The City of Ottawa invites bids for the construction of a new water treatment facility, closing March 4, 2026. ',
    501,
  ],
  ['La Ville de Montréal lance un appel d’offres pour la réfection de l’usine de traitement des eaux usées. ', 721],
  ['加拿大渥太华市政府宣布就新建污水处理厂项目进行公开招标，预计合同金额为四百二十万加元，截止日期为三月四日。', 1_160],
  ['オタワ市は新しい浄水施設の建設工事について入札を募集しています。予定価格は四百二十万ドルです。', 1_040],
  ['오타와시는 새로운 정수 처리 시설의 건설을 위한 입찰을 공고하였으며 예상 금액은 사백이십만 달러이다. ', 1_260],
  ['ᐃᓄᒃᑎᑐᑦ ᑲᓇᑕᒥ ', 620],
  ['أعلنت بلدية أوتاوا عن مناقصة لإنشاء محطة جديدة لمعالجة المياه. ', 1_181],
  ['🏗️🚧🏭👷‍♀️', 340],
  ['THE CITY INVITES BIDS FOR RFP NO. WS-4471-B, PHASE II. ', 481],
  ['https://a.ca/x?id=8c1f2b7e-93da-4c55-8e1b-09f2d3aa71c4&u=Zm9vYmFyQmF6 ', 1_041],
  ['2026-03-04T05:06:07.089Z ', 320],
  ['https://canadabuys.canada.ca/en/tender-opportunities/tender-notice/ws4567891234-doc9876543210 ', 681],
])('an estimate is no lower than what tokenizers count, nor three times as high: %s', (text, counted) => {
  const estimate = estimateTokens(text.repeat(20));
  expect(estimate).toBeGreaterThanOrEqual(counted);
  expect(estimate).toBeLessThan(3 * counted);
});
