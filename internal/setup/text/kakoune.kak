hook -once global KakBegin .* %{
    hook global User LSPDefaultConfig=(?:{{languages}}) %{
        set-option -add buffer lsp_servers %{
            [ploke-lsp]
            args = ["serve"]
            root_globs = [".git", ".hg"]
        }
    }
}
