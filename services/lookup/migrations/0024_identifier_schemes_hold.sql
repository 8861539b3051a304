-- Read beside writes: validating takes no lock that a read or a write waits for.
alter table company_identifier validate constraint identifier_scheme_known;
