"""The documentation site: what its pages have beyond those of the repository."""

from tests.bias_tasks.paper_coverage import tool

TABLE = """<p>Metrics</p>
<table>
<thead><tr><th>metric</th><th style="text-align: right;"><code>"n"</code> &lt; 1</th></tr></thead>
<tbody>
<tr><td><code>rs</code></td><td style="text-align: right;">0.5</td></tr>
<tr><td>mbs</td><td style="text-align: right;"></td></tr>
</tbody>
</table>"""


def test_cells_of_tables_name_their_columns():
    """In a narrow window, each row is a card."""
    page = tool("docs_site").on_page_content(TABLE, None, None, None)
    labels = ' data-label="metric"', ' data-label="&#34;n&#34; &lt; 1"'
    assert [page.count(label) for label in labels] == [2, 2]
    assert page.replace(labels[0], "").replace(labels[1], "") == TABLE
