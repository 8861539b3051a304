-- A key may end and may do less than all. While peppers are changed it has a digest under two of them: `moved_*` is the newer one, to
-- which it moved when it was used; by the other one processes find it that do not know the newer yet, be it by their code or settings.
alter table credential
  add column expires_at timestamptz,
  add column scopes text[] not null default '{search,lookup,usage}',
  add column moved_pepper text,
  add column moved_digest bytea,
  add constraint credential_expires_later check (expires_at > created_at),
  add constraint credential_scopes_known check (scopes <@ array['search', 'lookup', 'usage'] and cardinality(scopes) between 1 and 3),
  add constraint credential_moved_whole check (
    (moved_pepper is null) = (moved_digest is null) and octet_length(moved_digest) = 32 and moved_pepper <> pepper);
grant update (pepper, digest, moved_pepper, moved_digest) on credential to ledger;
