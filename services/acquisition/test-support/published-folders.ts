export interface PublishedFolder {
  readonly folder: string;
  readonly pattern: RegExp;
  readonly source: string;
  readonly mixed: boolean;
}

type Row = readonly [folder: string, pattern: RegExp, source: string, mixed?: 'mixed'];

const ROWS: readonly Row[] = [
  ['fixtures/canadabuys', /^openTenderNotice\.\d.*\.csv$/, 'canadabuys'],
  ['fixtures/canadabuys', /^(?:openTenderNotice\.header|RECONSTRUCTED|real_).*\.csv$/, 'canadabuys', 'mixed'],
  ['fixtures/canadabuys', /^awardNotice.*\.csv$/, 'canadabuys_awards'],
  ['fixtures/sam_gov', /\.json(?:\.txt)?$/, 'sam_api'],
  ['fixtures/ocds', /\.json$/, 'ocds'],
  ['raw/ocds_buyandsell', /\.json\.gz$/, 'ocds'],
  ['fixtures/fbo_legacy', /\.(?:bulk|json)$/, 'fbo'],
  ['raw/fbo', /\.(?:bulk|json\.gz|jsonl\.gz)$/, 'fbo'],
  ['fixtures/cim', /\.csv$/, 'cim'],
  ['raw/clean_investment_monitor', /\.csv\.gz$/, 'cim'],
  ['fixtures/sec_edgar', /^(?:8-K|getcurrent|index-headers|company\.|form\.|filing_index)/, 'sec_8k', 'mixed'],
  ['fixtures/sec_8k_items', /\.txt$/, 'sec_8k', 'mixed'],
  ['fixtures/sec_edgar', /^formD/, 'sec_form_d', 'mixed'],
  ['fixtures/sec_edgar', /^(?:submissions|company_tickers)/, 'sec_profiles', 'mixed'],
  ['raw/sec_edgar', /^current_feed/, 'sec_8k', 'mixed'],
  ['raw/sec_edgar', /^current_feed/, 'sec_form_d', 'mixed'],
  ['raw/sec_edgar', /^company_tickers/, 'sec_profiles', 'mixed'],
  ['raw/sec_edgar/atom_pages', /\.xml$/, 'sec_8k', 'mixed'],
  ['raw/sec_edgar/filings_8k', /\.txt\.gz$/, 'sec_8k', 'mixed'],
  ['fixtures/ashby', /\.json$/, 'ashby'],
  ['fixtures/smartrecruiters', /\.json$/, 'smartrecruiters'],
  ['fixtures/greenhouse', /\.json$/, 'greenhouse', 'mixed'],
  ['fixtures/lever', /\.json$/, 'lever'],
  ['fixtures/gleif', /\.(?:json|xml)$/, 'gleif', 'mixed'],
  ['fixtures/sbir', /^awards.*\.json$/, 'sbir_awards'],
  ['fixtures/sbir', /^solicitations.*\.json$/, 'sbir_solicitations'],
  ['fixtures/usaspending', /^recipient.*\.json$/, 'usaspending_recipients'],
  ['fixtures/sam_entity', /\.json$/, 'sam_entity'],
  ['fixtures/openfda', /510k.*\.json$/, 'openfda_510k'],
  ['fixtures/openfda', /pma.*\.json$/, 'openfda_pma'],
  ['fixtures/eccc_ghgrp', /\.csv$/, 'eccc_ghgrp'],
];

export const PUBLISHED_FOLDERS: readonly PublishedFolder[] = ROWS.map(([folder, pattern, source, mixed]) => ({
  folder,
  pattern,
  source,
  mixed: mixed !== undefined,
}));

/** Documentation, descriptions of documents, and documents of interfaces that no source uses. */
export const DOCUMENTATION =
  /^(?:.*README\..*|get-opportunities-.*|official_docs_.*|[a-z_]+\.md|psc_codes\.csv|index\.csv|judged\.csv|spending_by_award_answer\.json|ContractOpportunitiesFullCSV\.header\.csv)$/;
