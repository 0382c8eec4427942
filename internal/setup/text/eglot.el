(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '(({{range .Languages}}{{.}}-mode {{.}}-ts-mode {{end}}gfm-mode) . ("ploke-lsp" "serve"))))
