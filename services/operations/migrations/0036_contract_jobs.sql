-- Contracts what 0013, 0014 and 0026 expanded: code since then writes and ends a job with its operation and takes what it changes out of
-- its line. A deadline that is moved by hand is copied still: it costs nothing else.
drop trigger operation_keeps_job on operation;
drop function keep_job();
drop trigger operation_ends_job on operation;
drop function end_job();
drop trigger job_leaves_line on job;
drop function leave_line();
