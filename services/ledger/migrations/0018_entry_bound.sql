alter table entry validate constraint entry_of_partition;
