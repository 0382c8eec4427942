(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '(({{languages}} gfm-mode) . ("ploke-lsp" "serve"))))
