-- More registers and directories know a company by a number (decision 0121). What is recorded meets the wider rule, which 0024
-- confirms beside reads and writes.
alter table company_identifier
  drop constraint identifier_scheme_known,
  add constraint identifier_scheme_known check (scheme in (
    'cik', 'lei', 'uei', 'bn', 'ein', 'duns', 'cage', 'isin', 'bic', 'register', 'opencorporates', 'spglobal')) not valid;
