module ces.example/lab/probe

go 1.24
