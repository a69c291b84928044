"""The page that the coverage studies write together."""

from tests.bias_tasks.studies import load_study

PAGE = "# Coverage\n\n## First\n\nold\n\n## Second\n\nold\n\n## Third\n\nkept\n"


def test_a_section_takes_its_own_place_and_a_new_one_comes_last():
    page = load_study("coverage_page")
    new = page.with_section(PAGE, "## Second", "## Second\n\nnew\n")
    assert new == PAGE.replace("## Second\n\nold", "## Second\n\nnew")
    assert page.with_section(new, "## Second", "## Second\n\nnew\n") == new
    new = page.with_section("# Coverage\n", "## Second", "## Second\n\nnew\n")
    assert new == "# Coverage\n\n## Second\n\nnew\n"


def test_a_share_outside_the_band_is_bold():
    page = load_study("coverage_page")
    cells = ["", "**92.9**", "93.0", "97.0", "**97.1**"]
    assert [page.cell(share) for share in (None, 0.929, 0.93, 0.97, 0.971)] == cells
    assert page.summary([0.9, 0.95, 0.99]).startswith(
        "1 of 3 shares lie between 93 and 97 %, 1 below, 1 above; the lowest is 90.0"
    )
