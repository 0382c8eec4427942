package conventions

import "testing"

func TestVersionOf(t *testing.T) {
	for line, want := range map[string]string{"# 3.3.0 - 26 June, 2026": "3.3.0", "## [3.2.4](https://x/3.2.3...3.2.4) (2024)": "3.2.4",
		"Scrapy 2.18.0 (2026-08-20)": "2.18.0", "* 3.5.3 (June 1, 2020)": "3.5.3", "CHANGES FROM 3.7c TO 3.8": "3.8", "## Version 8.5.0": "8.5.0",
		"v0.24.0": "0.24.0", "### 3.10.0 (2026-01-02)": "3.10.0", "== 1.2.3 ==": "1.2.3", "## [1.0.0-rc.1] - 2024-01-01": "1.0.0-rc.1",
		"**1.2.3**": "1.2.3", "## Release 4.0.0 released": "4.0.0", "## @scope/pkg 2.1.0": "2.1.0", "Version 8.1.0": "8.1.0",
		"- Drop support for Python 3.7": "", "### Fixed in 2.9": "", "Upgrading from 2.1": "", "works with 3.8 and later": "", "## Support for 3.8": "",
		"See 2.1 for details.": "", "$ narrator voice: it was not 2.6.0": "", "## New features": "", "python 3.8": "", "* Updated to 1.2": ""} {
		if got := VersionOf(line); got != want {
			t.Errorf("VersionOf(%q) = %q, want %q", line, got, want)
		}
	}
}
