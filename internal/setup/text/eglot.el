(with-eval-after-load 'eglot
{{languages}})
(define-derived-mode ploke-document-mode text-mode "ploke"
  "A document of ploke-lsp, where nothing else reads Markdown.")
(add-to-list 'auto-mode-alist '("/\\.ploke/[^/]+\\.md\\'" . ploke-document-mode) t)
