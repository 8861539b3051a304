alter table hold validate constraint hold_of_partition;
