function! PlokeRoot(buffer) abort
  let l:folder = fnamemodify(bufname(a:buffer), ':p:h')
  let l:git = finddir('.git', l:folder . ';')
  return empty(l:git) ? l:folder : fnamemodify(l:git, ':p:h:h')
endfunction

" Runs ploke-lsp beside the linters that ALE has chosen for the file type.
function! PlokeLinter(type) abort
  if !exists(':ALEInfo') || !empty(&buftype)
    return
  endif
  call ale#linter#Define(a:type, {'name': 'ploke', 'lsp': 'stdio', 'executable': 'ploke-lsp', 'command': '%e serve', 'project_root': function('PlokeRoot')})
  let l:names = map(ale#linter#Get(a:type), 'v:val.name')
  if index(l:names, 'ploke') < 0
    let b:ale_linters = l:names + ['ploke']
  endif
endfunction

augroup ploke
  autocmd!
  autocmd FileType * call PlokeLinter(expand('<amatch>'))
augroup END
