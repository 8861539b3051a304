-- An operation whose submitter was turned away is withdrawn: the ledger is asked to hold nothing for it, then the row goes.
alter table operation
  drop constraint operation_point_known,
  add constraint operation_point_known check (
    point in ('created', 'withdrawing', 'held', 'running', 'stored', 'delivered', 'failing', 'failed', 'retired')
  ) not valid;
alter table operation validate constraint operation_point_known;

drop index operation_between_steps;
create index operation_between_steps on operation (id) where point in ('created', 'withdrawing', 'stored', 'failing');
