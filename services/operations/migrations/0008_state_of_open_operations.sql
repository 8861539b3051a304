-- What calls may be writing: few rows, found by the index on `point` and by their jobs, and locked for a moment.
update operation set state = point where point in ('created', 'withdrawing', 'stored', 'failing') and state <> point;
update operation o set state = o.point from job j where j.operation_id = o.id and o.state <> o.point;
