module tiphys.dev/stack/standin

go 1.26
