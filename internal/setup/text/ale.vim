function! PlokeRoot(buffer) abort
  let l:git = finddir('.git', fnamemodify(bufname(a:buffer), ':p:h') . ';')
  return empty(l:git) ? fnamemodify(bufname(a:buffer), ':p:h') : fnamemodify(l:git, ':p:h:h')
endfunction

augroup ploke
  autocmd!
  autocmd FileType * call ale#linter#Define(expand('<amatch>'), {'name': 'ploke', 'lsp': 'stdio', 'executable': 'ploke-lsp', 'command': '%e serve', 'project_root': function('PlokeRoot')})
augroup END
