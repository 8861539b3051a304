-- Bells ring in the order in which they are due: looked for by due_at, a long line of jobs that have rung is read again for each.
create index job_ring on job (ring_at);
