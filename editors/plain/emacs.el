;;; emacs.el --- the configuration of Emacs for scenario.sh  -*- lexical-binding: t -*-

(package-initialize)
(setq inhibit-startup-screen t
      make-backup-files nil
      auto-save-default nil
      create-lockfiles nil
      native-comp-async-report-warnings-errors nil
      native-comp-deferred-compilation nil
      eldoc-echo-area-use-multiline-p nil)
(require 'eglot)
(add-to-list 'auto-mode-alist '("\\.go\\'" . prog-mode))
(add-to-list 'auto-mode-alist '("\\.md\\'" . text-mode))
(add-to-list 'eglot-server-programs (list '(prog-mode text-mode) (getenv "SERVER")))
(add-hook 'prog-mode-hook #'eglot-ensure)
(add-hook 'text-mode-hook #'eglot-ensure)

;;; emacs.el ends here
