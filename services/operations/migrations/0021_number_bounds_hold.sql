alter table operation validate constraint operation_0_numbers;
alter table result validate constraint result_0_numbers;
alter table shortlist validate constraint shortlist_0_numbers;
alter table plan validate constraint plan_0_numbers;
