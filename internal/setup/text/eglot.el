(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '(({{languages}} gfm-mode ploke-document-mode) . ("ploke-lsp" "serve"))))
(define-derived-mode ploke-document-mode text-mode "ploke"
  "A document of ploke-lsp, where nothing else reads Markdown.")
(add-to-list 'auto-mode-alist '("/\\.ploke/[^/]+\\.md\\'" . ploke-document-mode) t)
