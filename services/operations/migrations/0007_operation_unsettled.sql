-- Before any row gets its state, so that readers may use it at once. Readers go on meanwhile; writers wait for one scan.
create index operation_unsettled on operation (id) where state in ('created', 'withdrawing', 'stored', 'failing');
