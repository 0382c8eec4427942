" The Markdown of the chat, for versions of Neovim without a parser of it. Everything but a code block ends with its line,
" so that a stray * or ` colours nothing below it. lua/ploke/chat_highlight.lua adds the languages of code blocks.

if exists('b:current_syntax')
  finish
endif

syntax match plokeHeading /^#\{1,6}\s.*$/
syntax match plokeListMarker /^\s*\zs\%([-*+]\|\d\+[.)]\)\ze\s/
syntax region plokeBold matchgroup=plokeMark start=/\*\@1<!\*\*\ze[^* \t]/ end=/[^* \t]\zs\*\*\*\@!/ oneline concealends
syntax region plokeItalic matchgroup=plokeMark start=/[*[:alnum:]]\@1<!\*\ze[^* \t]/ end=/[^* \t]\zs\*[*[:alnum:]]\@!/ oneline concealends
syntax region plokeCode matchgroup=plokeMark start=/`\@1<!``\@!/ end=/`\@1<!``\@!/ oneline concealends
syntax region plokeCode matchgroup=plokeMark start=/`\@1<!```\@!/ end=/`\@1<!```\@!/ oneline concealends
syntax region plokeBold matchgroup=plokeMark start=/[_[:alnum:]]\@1<!__\ze[^_ \t]/ end=/[^_ \t]\zs__[_[:alnum:]]\@!/ oneline concealends
syntax region plokeItalic matchgroup=plokeMark start=/[_[:alnum:]]\@1<!_\ze[^_ \t]/ end=/[^_ \t]\zs_[_[:alnum:]]\@!/ oneline concealends
syntax region plokeStruck matchgroup=plokeMark start=/\~\@1<!\~\~\ze[^~ \t]/ end=/[^~ \t]\zs\~\~\~\@!/ oneline concealends
syntax match plokeQuote /^\s*>\%(\s.*\)\=$/
" What is in a table keeps its marks, so that its columns stay in line.
syntax match plokeTable /^\s*|.*|\s*$/ contains=plokeTableBar
syntax match plokeTableBar /|\|\%(|\s*:\=\)\@<=-\+/ contained
" A link, until the answer goes on: lua/ploke/chat_links.lua then leaves its words alone.
syntax match plokeLink /\\\=!\=\[[^]]\+\]([^) ]\+)/ contains=plokeLinkMark,plokeLinkTarget
syntax match plokeLinkMark /\\\=!\=\[/ contained conceal
syntax match plokeLinkTarget /\]([^) ]*)/ contained conceal
syntax region plokeBlock matchgroup=plokeFence start=/^\s*\z(```\+\|\~\~\~\+\).*$/ end=/^\s*\z1[`~]*\s*$/ keepend

syntax sync minlines=300

highlight default link plokeHeading Title
highlight default link plokeListMarker Statement
highlight default plokeBold term=bold cterm=bold gui=bold
highlight default plokeItalic term=italic cterm=italic gui=italic
highlight default plokeStruck term=NONE cterm=strikethrough gui=strikethrough
highlight default link plokeQuote Comment
highlight default link plokeTableBar NonText
highlight default link plokeCode Special
highlight default link plokeLink Underlined
highlight default link plokeMark NonText
highlight default link plokeFence NonText

let b:current_syntax = 'ploke'
