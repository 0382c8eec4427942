class PlokeLsp < Formula
  desc "{{.Summary}}"
  homepage "{{.Repository}}"
  version "{{.Version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{(index .Files "darwin-arm64").URL}}"
      sha256 "{{(index .Files "darwin-arm64").SHA256}}"
    end
    on_intel do
      url "{{(index .Files "darwin-amd64").URL}}"
      sha256 "{{(index .Files "darwin-amd64").SHA256}}"
    end
  end

  on_linux do
    on_arm do
      url "{{(index .Files "linux-arm64").URL}}"
      sha256 "{{(index .Files "linux-arm64").SHA256}}"
    end
    on_intel do
      url "{{(index .Files "linux-amd64").URL}}"
      sha256 "{{(index .Files "linux-amd64").SHA256}}"
    end
  end

  def install
    bin.install "ploke-lsp"
    man1.install "ploke-lsp.1"
    bash_completion.install "completions/ploke-lsp"
    zsh_completion.install "completions/_ploke-lsp"
    fish_completion.install "completions/ploke-lsp.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/ploke-lsp version")
  end
end
