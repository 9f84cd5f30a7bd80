"""A table as text, and a table that was read as rows."""

PLAIN = b"width,kind\n1.5,a\n2,b\n,c\n"


def rows(table):
    frame = table.frame
    return [frame.columns.tolist(), *frame.astype(object).where(frame.notna(), None).to_numpy(object).tolist()]
