"""The atlas: results that ship with the repository, one file of JSON Lines a study.

    eval/atlas/STUDY.jsonl    a result a line, sorted; `pandas.read_json(file, lines=True)` reads it

A line has what identifies the result (kind, design, nbits, parameters, workload, verilog, tools,
stages), `values`, which audits compare, and `made`: commit, date and seconds of the measurement,
and when it was last confirmed.
"""
