-- Without the default partition. The setting keeps the planner from inlining it and casting the
-- bounds of another table's partitions.
create function list_partitions(parent regclass) returns table (name text, low text, high text)
language sql stable set search_path = pg_catalog
begin atomic
  select c.relname, b.bounds[1], b.bounds[2]
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  cross join lateral regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM \('?(.*?)'?\) TO \('?(.*?)'?\)$$) b (bounds)
  where i.inhparent = parent and b.bounds is not null;
end;
