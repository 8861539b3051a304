-- As observation's (0014), by seq: transaction numbers grow with all that a server does, and start again on another one.
lock table change in access exclusive mode;

alter table change rename to change_0;
alter index change_pkey rename to change_0_pkey;

create table change (
  like change_0 including defaults including constraints including comments,
  constraint change_pkey primary key (tx, seq)
) partition by range (seq);
alter table change drop constraint change_of_partition;

do $$
declare
  next_seq bigint := (select last_value + is_called::int from change_seq_seq);
begin
  alter table change_0 alter column seq drop identity;
  alter table change alter column seq add generated always as identity (sequence name change_seq_seq);
  perform setval('change_seq_seq', next_seq, false);
  create table change_beyond partition of change default;
  execute format('alter table change attach partition change_0 for values from (minvalue) to (%L)',
    (select substring(pg_get_constraintdef(oid) from '\d{6,}') from pg_constraint
      where conrelid = 'change_0'::regclass and conname = 'change_of_partition'));
end $$;
alter table change_0 drop constraint change_of_partition;

revoke all on change_0 from lookup;
grant select, insert on change to lookup;
