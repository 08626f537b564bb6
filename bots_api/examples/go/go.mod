module housubot

go 1.21
