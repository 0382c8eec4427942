hook -once global KakBegin .* %{
    hook global User LSPDefaultConfig=(?:{{alternatives .Languages}}) %{
        set-option -add buffer lsp_servers %{
            [ploke-lsp]
            args = ["serve"]
            root_globs = [".git", ".hg"]
        }
    }
}
