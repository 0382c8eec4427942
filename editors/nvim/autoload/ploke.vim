" The 'omnifunc' of the chat. Completion plugins call it by its name, which a function in Lua does not have.
function! ploke#complete(findstart, base) abort
  return luaeval('require("ploke.chat_completion").omnifunc(_A)', a:findstart)
endfunction
