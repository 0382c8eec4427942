;;; emacs.el --- what scenario.sh needs beside the configuration of ploke-lsp setup  -*- lexical-binding: t -*-

(package-initialize)
(setq inhibit-startup-screen t
      make-backup-files nil
      auto-save-default nil
      create-lockfiles nil
      native-comp-async-report-warnings-errors nil
      native-comp-deferred-compilation nil
      eldoc-echo-area-use-multiline-p nil)
(define-derived-mode go-mode prog-mode "Go") ; which a person has from a package
(add-to-list 'auto-mode-alist '("\\.go\\'" . go-mode))
(require 'eglot)
(add-hook 'go-mode-hook #'eglot-ensure)
(load (getenv "SETUP"))

;;; emacs.el ends here
