-- Generated from lsp/protocol by go generate ./lsp/protocol. Do not edit.

--- The names of the ploke/* methods and of the commands, and the types of their parameters and
--- results. Positions are those of LSP.
local M = {}

--- The newest and the oldest version of the methods that these names and types describe.
M.version = 1
M.oldest_version = 1

--- The methods: their parameters -> their results.
M.methods = {
  --- Creates an empty conversation.
  --- ploke.ChatCreateParams -> ploke.ChatCreateResult
  chat_create = 'ploke/chat/create',
  --- Lists all conversations of the workspace.
  --- {} -> ploke.ChatListResult
  chat_list = 'ploke/chat/list',
  --- Reads the messages of a branch. It waits up to a second for an answer that another server writes: the server
  --- of an editor that was closed a moment ago is about to end.
  --- ploke.ChatHistoryParams -> ploke.ChatHistoryResult
  chat_history = 'ploke/chat/history',
  --- Reads the places at which a branch has alternatives.
  --- ploke.ChatSiblingsParams -> ploke.ChatSiblingsResult
  chat_siblings = 'ploke/chat/siblings',
  --- Sends a message, runs a turn and replies at its end. With a token for partial results the parts of the turn
  --- arrive meanwhile, each as the Event of a $/progress. Cancelling the request stops the turn, which still
  --- replies; it fails with the code for cancelled requests if the turn had not begun. It fails if the text is
  --- empty, an attachment can't be read, or there is no such conversation or parent. A turn that has begun replies
  --- whatever happens: the stop reason says how it ended, such as error if there is no such model.
  --- ploke.ChatSendParams -> ploke.ChatSendResult
  chat_send = 'ploke/chat/send',
  --- Completes what a person writes in a message: the word before the cursor. A word that begins with @ names a
  --- file, a folder or what ploke/chat/send takes for more, such as @diff; # names a symbol, and / at the beginning
  --- of the message a slash command. It needs no document, so it is for clients with an input of their own. What
  --- the person has open, has edited and has talked about comes first.
  --- ploke.ChatCompleteParams -> ploke.ChatCompleteResult
  chat_complete = 'ploke/chat/complete',
  --- Lists what the person has sent before, for an input in which a key walks back through it.
  --- ploke.ChatSentParams -> ploke.ChatSentResult
  chat_sent = 'ploke/chat/sent',
  --- Reads the files, folders and symbols that a message mentions, as in "Why does @lib/x.go#L10-L20 fail in
  --- #Server.Run?". ploke/chat/send does not read a message like this: a client that lets people write so sends
  --- what they mention as attachments.
  --- ploke.ChatMentionsParams -> ploke.ChatMentionsResult
  chat_mentions = 'ploke/chat/mentions',
  --- Finds the files and symbols that words of an answer name, such as lib/x.go:12, x.go, Makefile and Server.Run.
  --- ploke.ChatPlacesParams -> ploke.ChatPlacesResult
  chat_places = 'ploke/chat/places',
  --- Returns the cell that a line of a notebook's file is in, as citations and places have it, for a client that
  --- shows notebooks as cells. It fails if the file is no notebook whose cells can be told apart.
  --- ploke.NotebookCellParams -> ploke.NotebookCellResult
  notebook_cell = 'ploke/notebook/cell',
  --- Says what would be sent for an attachment. It fails, with the reason, if ploke/chat/send would refuse the
  --- attachment: a client asks before the person writes the message.
  --- ploke.Attachment -> ploke.AttachmentDetails
  chat_attachment = 'ploke/chat/attachment',
  --- Stops the running turn of a conversation and its queued turns. Their requests reply as usual. Nothing happens
  --- if none runs.
  --- ploke.ChatStopParams -> {}
  chat_stop = 'ploke/chat/stop',
  --- Follows a turn from one of its parts on, whatever started the turn. It is for clients that handle ploke/event,
  --- and fails for others. It fails if the turn is over.
  --- ploke.ChatAttachParams -> ploke.ChatAttachResult
  chat_attach = 'ploke/chat/attach',
  --- Changes the title of a conversation.
  --- ploke.ChatRenameParams -> {}
  chat_rename = 'ploke/chat/rename',
  --- Deletes a conversation with its messages. It fails while a turn runs in it.
  --- ploke.ChatDeleteParams -> {}
  chat_delete = 'ploke/chat/delete',
  --- Searches all titles and messages for words.
  --- ploke.ChatSearchParams -> ploke.ChatSearchResult
  chat_search = 'ploke/chat/search',
  --- Exports the messages of a branch as Markdown.
  --- ploke.ChatExportParams -> ploke.ChatExportResult
  chat_export = 'ploke/chat/export',
  --- Reads what a tool call was given, or what it returned, as it is stored. It fails if there is no such call, or
  --- if the offset is outside of the text.
  --- ploke.ToolResultParams -> ploke.ToolResult
  tool_result = 'ploke/tool/result',
  --- Answers a permission request that was postponed with the answer later. It fails if the request is no longer
  --- open.
  --- ploke.PermissionAnswerParams -> {}
  permission_answer = 'ploke/permission/answer',
  --- Lists the standing answers of this workspace.
  --- {} -> ploke.PermissionListResult
  permission_list = 'ploke/permission/list',
  --- Deletes a standing answer, so that the person is asked again. It fails if there is none with this key.
  --- ploke.PermissionForgetParams -> {}
  permission_forget = 'ploke/permission/forget',
  --- Lists the proposals of the workspace.
  --- ploke.ProposalListParams -> ploke.ProposalListResult
  proposal_list = 'ploke/proposal/list',
  --- Reads a proposal with its texts and its conflicts.
  --- ploke.ProposalParams -> ploke.ProposalGetResult
  proposal_get = 'ploke/proposal/get',
  --- Accepts a proposal or a part of it. The server applies it through workspace/applyEdit before it replies, so a
  --- client must handle that meanwhile. It fails if a file or hunk is not one of the proposal's.
  --- ploke.ProposalAcceptParams -> ploke.ProposalDecision
  proposal_accept = 'ploke/proposal/accept',
  --- Rejects a proposal or a part of it.
  --- ploke.ProposalRejectParams -> ploke.ProposalDecision
  proposal_reject = 'ploke/proposal/reject',
  --- Replaces the result of an undecided proposal for one file. It fails if that changes nothing, or if the file is
  --- deleted by the proposal or is not UTF-8.
  --- ploke.ProposalEditParams -> ploke.ProposalDecision
  proposal_edit = 'ploke/proposal/edit',
  --- Undoes what was accepted of a proposal, through workspace/applyEdit. What was typed since stays. It fails if
  --- nothing of it is applied.
  --- ploke.ProposalParams -> ploke.ProposalDecision
  proposal_undo = 'ploke/proposal/undo',
  --- Applies what was undone again, through workspace/applyEdit. It fails if nothing is undone.
  --- ploke.ProposalParams -> ploke.ProposalDecision
  proposal_redo = 'ploke/proposal/redo',
  --- Runs the checks of a proposal again, in a sandbox, and replies when they have ended. The person has asked for
  --- it, so only a standing answer that forbids it stops it. What did not run is unknown, which is not an error.
  --- ploke.ProposalCheckParams -> ploke.ProposalCheckResult
  proposal_check = 'ploke/proposal/check',
  --- Reads what waits for a decision. A proposal is in the review once its turn has ended. After each change of the
  --- review, of texts in which something waits too, a client that handles ploke/event gets a part of the type
  --- review, and asks again.
  --- {} -> ploke.ReviewResult
  review = 'ploke/review',
  --- Reads the texts for a three-way merge of a file in which something waits. It fails if nothing does, or if the
  --- text that the proposal was made against is not kept any more.
  --- ploke.ReviewMergeParams -> ploke.ReviewMergeResult
  review_merge = 'ploke/review/merge',
  --- Searches the index for code.
  --- ploke.SearchParams -> ploke.SearchResult
  search = 'ploke/search',
  --- Lists the models that can answer a message. It asks the providers, so it may take seconds.
  --- {} -> ploke.ModelsResult
  models = 'ploke/models',
  --- Returns the model that is used if a message names none. It asks no provider.
  --- {} -> ploke.ModelDefaultResult
  model_default = 'ploke/model/default',
  --- Chooses the model of the turns that commands start, such as those of code actions, until the connection ends.
  --- A message names its own model in ChatSendParams.
  --- ploke.ModelChooseParams -> {}
  model_choose = 'ploke/model/choose',
  --- Sends a tiny request to a model, which is in the ledger. It may take a minute.
  --- ploke.ModelTestParams -> ploke.ModelTestResult
  model_test = 'ploke/model/test',
  --- Is a part of the answer of a model of the editor. What belongs to no request that runs is ignored.
  --- ploke.ModelPartParams -> nothing
  model_part = 'ploke/model/part',
  --- Is the answer to a request that the client has postponed with later. What belongs to no request that waits is
  --- ignored.
  --- ploke.LSPAnswer -> nothing
  server_answer = 'ploke/lsp/answer',
  --- Lists the slash commands: those that are built in, and the user's, which come before them. A message that
  --- begins with one, as in "/review a.go", is sent to the model as what the command stands for.
  --- {} -> ploke.SlashCommandsResult
  slash_commands = 'ploke/commands',
  --- Returns questions that a person who is new to the workspace may ask.
  --- {} -> ploke.ExamplesResult
  examples = 'ploke/examples',
  --- Reads what was sent to which provider.
  --- ploke.LedgerParams -> ploke.LedgerResult
  ledger = 'ploke/ledger',
  --- Reads the same as a document, with the newest request first.
  --- ploke.LedgerParams -> ploke.MarkdownDocument
  ledger_document = 'ploke/ledger/document',
  --- Checks what the server needs, and says what does not work and what to do about it. It sends a tiny request to
  --- the configured model, so it may take seconds.
  --- {} -> ploke.DoctorResult
  doctor = 'ploke/doctor',
  --- Reads counts of turns, requests and tool calls.
  --- {} -> ploke.MetricsResult
  metrics = 'ploke/metrics',
  --- Reads the state of the index. Changes of it are sent as ploke/event.
  --- {} -> ploke.IndexStatus
  index_status = 'ploke/index/status',
  --- Reads every file again.
  --- {} -> {}
  index_rebuild = 'ploke/index/rebuild',
  --- Pauses indexing. Searches and unsaved text go on.
  --- {} -> {}
  index_pause = 'ploke/index/pause',
  --- Resumes indexing.
  --- {} -> {}
  index_resume = 'ploke/index/resume',
  --- Asks the person for permission. The server cancels the request when it no longer needs the answer. A part of
  --- the turn reports the answer. An error counts as rejectOnce.
  --- ploke.PermissionAskParams -> ploke.PermissionAskResult
  permission_ask = 'ploke/permission/ask',
  --- Asks for the diagnostics of other language servers.
  --- ploke.ClientDiagnosticsParams -> ploke.ClientDiagnosticsResult
  client_diagnostics = 'ploke/client/diagnostics',
  --- Asks for the cursor and the documents of the editor.
  --- {} -> ploke.ClientState
  client_state = 'ploke/client/state',
  --- Asks for the last command in a terminal of the editor. The person's message asks for it, with the word
  --- @terminal.
  --- {} -> ploke.ClientTerminalResult
  client_terminal = 'ploke/client/terminal',
  --- Lists the models that the editor has. It asks the person nothing.
  --- {} -> ploke.ClientModelsResult
  client_models = 'ploke/client/models',
  --- Has a model answer. The client sends each part of the answer with ploke/model/part as it comes, and its reply
  --- when the answer has ended. The server cancels the request when nobody waits for the answer any more.
  --- ploke.ClientModelSendParams -> ploke.ClientModelSendResult
  client_model_send = 'ploke/client/model/send',
  --- Lists the language servers that serve a document. The client replies at once.
  --- ploke.ClientLSPServersParams -> ploke.ClientLSPServersResult
  client_servers = 'ploke/client/lspServers',
  --- Has one of them answer a request of LSP. The client opens the document for that server if it is not open. It
  --- replies in any case, with nothing if the server has not answered within some seconds.
  --- ploke.ClientLSPParams -> ploke.LSPAnswer
  client_ask = 'ploke/client/lsp',
  --- Is sent for each part of a turn that no request of the client waits for, such as that of a code action, for
  --- each change of a proposal outside of turns, for the state of the index, and when the review has changed.
  --- ploke.Event -> nothing
  event = 'ploke/event',
}

--- The commands: their arguments -> their results.
M.commands = {
  --- Asks a question; words among the arguments are its text. Without a text the chat document opens.
  --- ploke.AskParams -> ploke.TurnStarted
  ask = 'ploke.ask',
  --- Explains a declaration or a file.
  --- ploke.SymbolParams -> ploke.TurnStarted
  explain = 'ploke.explain',
  --- Proposes documentation for a declaration.
  --- ploke.SymbolParams -> ploke.TurnStarted
  document = 'ploke.document',
  --- Proposes tests for a declaration.
  --- ploke.SymbolParams -> ploke.TurnStarted
  tests = 'ploke.tests',
  --- Proposes a fix of a problem; words among the arguments describe it.
  --- ploke.FixParams -> ploke.TurnStarted
  fix = 'ploke.fix',
  --- Changes the selected lines as the words among the arguments say. Without words the chat document opens, with
  --- the lines mentioned in it.
  --- ploke.SymbolParams -> ploke.TurnStarted
  refactor = 'ploke.refactor',
  --- Proposes the code that a comment describes. The start of the range is in it.
  --- ploke.SymbolParams -> ploke.TurnStarted
  generate = 'ploke.generate',
  --- Does or answers what a comment asks for. The start of the range is in it.
  --- ploke.SymbolParams -> ploke.TurnStarted
  comment = 'ploke.comment',
  --- Sends a section of a chat document.
  --- ploke.ChatDocumentParams -> ploke.TurnStarted
  chat_send = 'ploke.chat.send',
  --- Makes a chat document begin a new conversation.
  --- ploke.ChatDocumentParams -> {}
  chat_new = 'ploke.chat.new',
  --- Stops the turns of a conversation. Without an argument it stops the only conversation in which something runs,
  --- or asks which one is meant.
  --- ploke.ChatStopParams -> {}
  chat_stop = 'ploke.chat.stop',
  --- Accepts a proposal or a part of it.
  --- ploke.ProposalAcceptParams -> {}
  proposal_accept = 'ploke.proposal.accept',
  --- Rejects a proposal or a part of it; words among the arguments are the reason.
  --- ploke.ProposalRejectParams -> {}
  proposal_reject = 'ploke.proposal.reject',
  --- Undoes an accepted proposal.
  --- ploke.ProposalParams -> {}
  proposal_undo = 'ploke.proposal.undo',
  --- Applies an undone proposal again.
  --- ploke.ProposalParams -> {}
  proposal_redo = 'ploke.proposal.redo',
  --- Opens a proposal as a document.
  --- ploke.ProposalParams -> {}
  proposal_show = 'ploke.proposal.show',
  --- Runs the checks of a proposal in a sandbox, which is the permission for that.
  --- ploke.ProposalCheckParams -> {}
  proposal_check = 'ploke.proposal.check',
  --- Answers the permission request with this id, or the newest one. Words among the arguments are the answer:
  --- allow, always allow, always allow exactly this, reject, always reject.
  --- ploke.PermissionAnswerParams -> {}
  permission_answer = 'ploke.permission.answer',
  --- Deletes a standing answer; words among the arguments are its key. Without a key it is the only one, or the
  --- person is asked.
  --- ploke.PermissionForgetParams -> {}
  permission_forget = 'ploke.permission.forget',
  --- Shows the status of the index to the person, and returns it.
  --- {} -> ploke.IndexStatus
  index_status = 'ploke.index.status',
  --- Reads every file again.
  --- {} -> {}
  index_rebuild = 'ploke.index.rebuild',
  --- Pauses indexing, and shows how to resume it.
  --- {} -> {}
  index_pause = 'ploke.index.pause',
  --- Resumes indexing.
  --- {} -> {}
  index_resume = 'ploke.index.resume',
}

--- AskParams is the argument of ploke.ask.
--- @class ploke.AskParams
--- @field text? string without it the chat document opens, with the attachment mentioned in it
--- @field conversationId? string by default a new one
--- @field attachment? ploke.Attachment

--- An Attachment is a file, a range of one, or a folder that is sent with a message. Of a file its lines are
--- sent, of a folder the names of its files with those of their symbols.
--- @class ploke.Attachment
--- @field uri string also of a cell of an open notebook, with a range in it
--- @field range? lsp.Range the lines that it touches; by default the whole file
--- @field cell? integer Is the number of the cell that the range begins in, from 1. The server sends it with what was attached of a notebook, and ignores it otherwise.

--- AttachmentDetails is what would be sent for an attachment.
--- @class ploke.AttachmentDetails
--- @field path string relative to its workspace folder
--- @field folder? boolean it is a folder, of which the outline is sent
--- @field lines integer how many lines are sent
--- @field bytes integer of what is sent, in UTF-8

--- A ByteRange is the range [start,end) of a file in UTF-8.
--- @class ploke.ByteRange
--- @field start integer 0-based, in bytes
--- @field end integer 0-based, in bytes

--- Capabilities are the versions and the methods that one side supports. The client sends them as
--- capabilities.experimental.ploke of initialize or, if it can't, as clientCapabilities.ploke in
--- initializationOptions. The server replies with the newest version that both sides speak.
--- @class ploke.Capabilities
--- @field version? integer of the client: the newest one that it speaks; 1 if it is omitted
--- @field oldest? integer of the client: the oldest one that it speaks; by default the same
--- @field methods string[] which the sender of this handles

--- ChatAttachParams selects the parts of a turn from the one after a number on.
--- @class ploke.ChatAttachParams
--- @field turnId string
--- @field afterSeq integer as in Part; 0 for all

--- ChatAttachResult holds the parts of the turn so far. Later parts are sent as ploke/event, each one once. The
--- first of them may arrive before this result.
--- @class ploke.ChatAttachResult
--- @field events ploke.Event[]

--- ChatCompleteParams is the beginning of a message.
--- @class ploke.ChatCompleteParams
--- @field text string before the cursor
--- @field conversationId? string Is the conversation that the message is for: the files that it is about come before others.
--- @field actions? ploke.ClientAction[] Are those of the client that a word behind / may stand for. By default none are offered.

--- ChatCompleteResult holds what the word before the cursor may become. There are no items if it is not one of
--- these words.
--- @class ploke.ChatCompleteResult
--- @field replace integer how many UTF-16 code units before the cursor an item replaces
--- @field items ploke.ChatCompletion[] the best first; they fit the word, so a client need not filter them

--- A ChatCompletion is one way to complete the word.
--- @class ploke.ChatCompletion
--- @field kind ploke.CompletionKind
--- @field label string
--- @field matched? integer[] the letters of the label that the word has: offsets in UTF-16 code units
--- @field detail? string
--- @field insert string the text that replaces the word, without a space behind it
--- @field attachment? ploke.Attachment what it names, for ChatSendParams; omitted for a command
--- @field action? ploke.ClientAction Is what the client does instead of inserting a text, which is empty.

--- ChatCreateParams describes a new conversation.
--- @class ploke.ChatCreateParams
--- @field title? string

--- ChatCreateResult holds the id of the new conversation.
--- @class ploke.ChatCreateResult
--- @field conversationId string

--- ChatDeleteParams deletes a conversation with its messages.
--- @class ploke.ChatDeleteParams
--- @field conversationId string

--- ChatDocumentParams names a section of a chat document.
--- @class ploke.ChatDocumentParams
--- @field uri? string by default the chat document that was opened or changed last
--- @field turn? integer the number of the section; by default the last one
--- @field trusted? boolean the person wants to send from a document that this server did not write

--- ChatExportParams selects a branch.
--- @class ploke.ChatExportParams
--- @field conversationId string
--- @field leafId? string of the last message; by default the newest one

--- ChatExportResult holds the exported text.
--- @class ploke.ChatExportResult
--- @field markdown string

--- ChatHistoryParams selects a branch.
--- @class ploke.ChatHistoryParams
--- @field conversationId string
--- @field leafId? string of the last message; by default the newest one

--- ChatHistoryResult holds the messages of a branch.
--- @class ploke.ChatHistoryResult
--- @field messages ploke.Message[] the oldest first

--- ChatListResult holds all conversations.
--- @class ploke.ChatListResult
--- @field conversations ploke.Conversation[] the most recently updated first

--- A ChatMention is a file, lines of one, a folder or a symbol in a message.
--- @class ploke.ChatMention
--- @field text string as it is in the message, with the @ or the #
--- @field attachment ploke.Attachment
--- @field details? ploke.AttachmentDetails omitted if there is a problem
--- @field problem? string why ploke/chat/send would refuse it

--- ChatMentionsParams is a message.
--- @class ploke.ChatMentionsParams
--- @field text string

--- ChatMentionsResult holds what a message mentions, in the order of the text, each once.
--- @class ploke.ChatMentionsResult
--- @field mentions ploke.ChatMention[]
--- @field unknown? ploke.UnknownMention[] words behind an @ or a # that are just text

--- A ChatPlace is what a word names.
--- @class ploke.ChatPlace
--- @field name string the word
--- @field uri string
--- @field range? lsp.Range the name of the symbol, or the lines of the file; omitted for a whole file
--- @field signature? string Is that of a symbol, in its language. It is omitted for a file.
--- @field label string the path of the file, or the symbol's, relative to the workspace

--- ChatPlacesParams holds words, of which the first 200 are looked for.
--- @class ploke.ChatPlacesParams
--- @field names string[]

--- ChatPlacesResult holds what the words name, in their order. A word that names several things has several
--- places, at most 20; one that names nothing has none.
--- @class ploke.ChatPlacesResult
--- @field places ploke.ChatPlace[]

--- ChatRenameParams changes the title of a conversation.
--- @class ploke.ChatRenameParams
--- @field conversationId string
--- @field title string

--- A ChatSearchHit is a message or, without its id, the title of a conversation.
--- @class ploke.ChatSearchHit
--- @field conversationId string
--- @field title string
--- @field messageId? string also the leaf of the history up to it, for ChatHistoryParams
--- @field role? ploke.MessageRole
--- @field excerpt string
--- @field at integer in milliseconds since 1970

--- ChatSearchParams searches all titles and messages for words.
--- @class ploke.ChatSearchParams
--- @field query string
--- @field limit? integer by default 50

--- ChatSearchResult holds the titles and messages that contain all words.
--- @class ploke.ChatSearchResult
--- @field results ploke.ChatSearchHit[] the newest first

--- ChatSendParams is a message. A message with the same parent as an earlier one begins a branch beside it,
--- whatever that one is: to edit a message, send the new text with the parent of the old one; to retry an answer,
--- send the same text and attachments with the same parent. The parent of the first message is root.
--- ploke/chat/siblings lists such alternatives.
--- @class ploke.ChatSendParams
--- @field workDoneToken? string|integer for work-done progress
--- @field partialResultToken? string|integer for the parts of the turn
--- @field conversationId? string by default a new one
--- @field parentId? string of the message that it follows, or root; by default the newest one
--- @field text string
--- @field attachments? ploke.Attachment[]
--- @field model? string the id of a Model; by default as the settings say
--- @field whileBusy? ploke.WhileBusy by default queue

--- ChatSendResult is the outcome of a turn, for every stop reason.
--- @class ploke.ChatSendResult
--- @field conversationId string
--- @field messageId string of the sent message, also if messages have steered the turn
--- @field assistantMessageId string of its own answer
--- @field turnId string
--- @field text string of the whole turn, Markdown
--- @field citations ploke.Citation[]
--- @field stopReason ploke.StopReason
--- @field error? string why it ended with limit or error
--- @field errorKind? ploke.ErrorKind with error, if it is known
--- @field declined? boolean the embedded model says that it can't do what was asked, or has found nothing
--- @field usage ploke.Usage
--- @field proposals string[] the ids of those that it has staged
--- @field model? string the id of the Model that answered last; omitted if none was found
--- @field context? ploke.ContextUse omitted if no request was sent

--- ChatSentParams says which messages come first.
--- @class ploke.ChatSentParams
--- @field conversationId? string its messages come first; by default none
--- @field limit? integer by default 100

--- ChatSentResult holds the texts of sent messages, each one once: those of the conversation, then those of the
--- workspace's other conversations, the newest first.
--- @class ploke.ChatSentResult
--- @field texts string[]

--- ChatSiblingsParams selects a branch.
--- @class ploke.ChatSiblingsParams
--- @field conversationId string
--- @field leafId? string of the last message; by default the newest one

--- ChatSiblingsResult holds the forks of the branch.
--- @class ploke.ChatSiblingsResult
--- @field forks ploke.Fork[] the one nearest to the root first

--- ChatStopParams names a conversation.
--- @class ploke.ChatStopParams
--- @field conversationId string

--- A Citation is the source of a part of an answer: a range of a file, or of what a proposal that waits would
--- make of it.
--- @class ploke.Citation
--- @field uri string with the scheme ploke-proposal if proposal is set
--- @field range lsp.Range
--- @field canon? string the canonical name of the symbol there, if there is one
--- @field proposal? string the id of the proposal
--- @field cell? integer the number of the cell that the range begins in, from 1, of a notebook

--- ClientAction is something that a client does when the person chooses it.
--- @alias ploke.ClientAction 'new'|'model'|'help'|'addCommand'

--- ClientDiagnosticsParams selects documents.
--- @class ploke.ClientDiagnosticsParams
--- @field uri? string by default all documents

--- ClientDiagnosticsResult holds the diagnostics of the documents' current text.
--- @class ploke.ClientDiagnosticsResult
--- @field documents ploke.DocumentDiagnostics[] those without diagnostics may be omitted

--- ClientLSPParams is a request to a language server.
--- @class ploke.ClientLSPParams
--- @field request string identifies this request in LSPAnswer
--- @field server string the id of an LSPServer
--- @field uri string of the document that the request is about
--- @field version? integer of the document, as the server has it; omitted if it is not open
--- @field method ploke.LSPMethod a client refuses any other one
--- @field params any of the method, with positions in the server's encoding

--- ClientLSPServersParams names a document, which need not be open.
--- @class ploke.ClientLSPServersParams
--- @field uri string

--- ClientLSPServersResult holds the servers, none if the editor has none for the document.
--- @class ploke.ClientLSPServersResult
--- @field servers ploke.LSPServer[]

--- A ClientModel is a model of the editor.
--- @class ploke.ClientModel
--- @field id string such as copilot/gpt-4.1; the server uses it only to name the model
--- @field contextTokens? integer omitted if it is unknown
--- @field tools boolean it can call tools

--- ClientModelSendParams is a request to a model. Messages of the user and of the assistant alternate, but for
--- the results of tools, which follow the calls. At most one message of the system is the first.
--- @class ploke.ClientModelSendParams
--- @field request string identifies this request in ModelPartParams
--- @field model string the id of a ClientModel
--- @field messages ploke.ModelMessage[]
--- @field tools ploke.ModelTool[]

--- ClientModelSendResult is how an answer has ended.
--- @class ploke.ClientModelSendResult
--- @field parts integer how many were sent
--- @field finish? ploke.ModelFinish by default stop
--- @field inTokens? integer of the request; omitted if it is unknown
--- @field outTokens? integer
--- @field error? ploke.ModelFailure omitted if the answer is whole
--- @field message? string with an error: what the editor says of it

--- ClientModelsResult holds the models, none if the editor has none.
--- @class ploke.ClientModelsResult
--- @field models ploke.ClientModel[]

--- ClientState is the state of the editor. The documents may include URIs that are not files.
--- @class ploke.ClientState
--- @field selection? lsp.Location Is the selection in the document that has the cursor, or had it last. Its range is empty if nothing is selected.
--- @field visible string[] on the screen
--- @field recent string[] edited by the person, the most recent first; the server uses at most ten
--- @field open? string[] Are those that the person has open, the last used first; by default those that the client has opened with textDocument/didOpen.

--- ClientTerminalResult is the last command in a terminal. It may run still.
--- @class ploke.ClientTerminalResult
--- @field command string empty if there was none, or the shell does not tell
--- @field output string its end, at least 32 KiB of it; control sequences are taken out
--- @field exitCode? integer omitted if the command runs, or the shell does not tell

--- CompletionKind is what a completion names.
--- @alias ploke.CompletionKind 'file'|'folder'|'symbol'|'command'|'action'

--- A Conflict is a range of lines where a proposal conflicts with the current text. Hunks whose ranges overlap or
--- touch share one conflict.
--- @class ploke.Conflict
--- @field uri string
--- @field path string relative to its workspace folder
--- @field hunks string[] their ids
--- @field line integer the 1-based first line of theirs, or 0 if the file no longer exists
--- @field base string the lines before the proposal
--- @field ours string the lines after the proposal
--- @field theirs string the lines now
--- @field reason string

--- ContextUse says how full the context window of a model is.
--- @class ploke.ContextUse
--- @field used integer tokens of the last request and of its answer
--- @field window? integer of the model, in tokens; omitted if it has none

--- A Conversation is the summary of a conversation.
--- @class ploke.Conversation
--- @field id string
--- @field title string
--- @field updatedAt integer in milliseconds since 1970
--- @field messages integer how many it has
--- @field state? ploke.ConversationState Is what a list shows of it; omitted if there is nothing to show.

--- ConversationState says that a conversation may want the person.
--- @alias ploke.ConversationState 'running'|'waiting'|'failed'

--- A DoctorResult says how everything is that the server needs. It never contains a key.
--- @class ploke.DoctorResult
--- @field markdown string the findings as a document
--- @field findings ploke.Finding[]

--- DocumentDiagnostics holds the diagnostics of one document.
--- @class ploke.DocumentDiagnostics
--- @field uri string
--- @field diagnostics lsp.Diagnostic[]

--- EmbeddingState is the state of an index's vectors.
--- @alias ploke.EmbeddingState 'waiting'|'asking'|'making'|'ready'|'failed'

--- EmbeddingStatus is the progress of making vectors.
--- @class ploke.EmbeddingStatus
--- @field model string PROVIDER/MODEL
--- @field state ploke.EmbeddingState
--- @field passages integer how many of the total have a vector now
--- @field total integer the passages that had no vector at the start
--- @field error? string

--- ErrorKind is what kind of error ended a turn, so that a client can offer what helps.
--- @alias ploke.ErrorKind 'auth'|'quota'|'budget'|'busy'|'network'|'model'|'context'|'refused'|'limit'|'internal'

--- An Event is the parameter of ploke/event and the value of a partial result of ploke/chat/send. It is a part of
--- the turn with the given ids or, without ids, a change of the index, of the review or of a proposal. The
--- partial results of a message that steers begin with a part steering once it is stored, and repeat the parts of
--- the turn from there on, also the userMessage with the message's id, if it joins.
--- @class ploke.Event: ploke.Part
--- @field conversationId? string
--- @field turnId? string

--- Evidence is what one source says of a proposal as it is now: whether it builds, or what its tests say. No
--- decision depends on it.
--- @class ploke.Evidence
--- @field source string names it among those of the proposal, such as "go vet"
--- @field kind ploke.EvidenceKind
--- @field state ploke.EvidenceState
--- @field summary string the state in one line, with the reason
--- @field command? string as people write it
--- @field problems? ploke.EvidenceProblem[] those that are not there without the proposal, at most 100
--- @field omitted? integer how many more there are
--- @field before? integer how many problems there are without the proposal, too
--- @field passed? integer how many tests
--- @field failed? integer how many tests
--- @field output? string what the command has printed, or its end; only in ProposalGetResult and ProposalCheckResult
--- @field startedAt? integer in milliseconds since 1970
--- @field durationMs? integer of the command, in milliseconds

--- EvidenceKind is what a piece of evidence comes from.
--- @alias ploke.EvidenceKind 'syntax'|'problems'|'command'

--- An EvidenceProblem is a problem that is not there without the proposal.
--- @class ploke.EvidenceProblem
--- @field uri? string of the file as the proposal leaves it; omitted if it is of no file
--- @field path? string relative to its workspace folder
--- @field line? integer 1-based, in the text after the change; omitted if it is of the whole file
--- @field message string
--- @field code? string that the source gives it
--- @field warning? boolean

--- EvidenceState is what a source has found.
--- @alias ploke.EvidenceState 'running'|'passed'|'failed'|'unknown'|'stale'

--- ExamplesResult holds questions about names of the workspace. It is empty while nothing is indexed.
--- @class ploke.ExamplesResult
--- @field questions string[] at most four; each is a whole message

--- FileOp is what a proposal does to a file.
--- @alias ploke.FileOp 'edit'|'create'|'rename'|'delete'

--- A Finding says how one thing is, and what to do if it does not work.
--- @class ploke.Finding
--- @field level ploke.FindingLevel
--- @field what string one word, such as index
--- @field text string
--- @field command? string Corrects it if a person runs it in a terminal, or leads on. A word in capitals, such as YOUR-KEY, has to be replaced first.

--- FindingLevel is how serious a finding is.
--- @alias ploke.FindingLevel 'ok'|'warning'|'error'

--- FixParams is the argument of ploke.fix.
--- @class ploke.FixParams
--- @field uri? string by default the place is where the cursor was last
--- @field range? lsp.Range of the problem
--- @field problem? string as a compiler describes it

--- A Fork is two or more messages with the same parent.
--- @class ploke.Fork
--- @field parentId? string omitted at the root
--- @field messages ploke.Sibling[] the oldest first

--- A Hunk is one edit, the smallest part that can be decided on. A rename is a separate hunk, which is the first
--- one and changes no text.
--- @class ploke.Hunk
--- @field id string
--- @field startLine integer 1-based, in the text before the change
--- @field endLine integer 1-based and inclusive, in the text before the change
--- @field state ploke.ProposalStatus

--- IndexProgress is the progress of a scan of one workspace folder.
--- @class ploke.IndexProgress
--- @field files integer scanned, including unchanged ones
--- @field totalFiles integer 0 until it is known
--- @field symbols integer found by this scan
--- @field percent integer 0 to 100
--- @field secondsLeft? integer an estimate, if there is one

--- IndexState is the state of an index.
--- @alias ploke.IndexState 'starting'|'indexing'|'ready'|'paused'|'failed'

--- IndexStatus is the state of the index and the size of its contents.
--- @class ploke.IndexStatus
--- @field state ploke.IndexState
--- @field files integer
--- @field symbols integer
--- @field references integer
--- @field error? string why it failed
--- @field progress? ploke.IndexProgress while a scan runs
--- @field embedding? ploke.EmbeddingStatus if the settings name a model for vectors

--- LSPAnswer is the answer of a language server.
--- @class ploke.LSPAnswer
--- @field request? string with ploke/lsp/answer: that of the params
--- @field later? boolean Postpones the answer: the client can't keep a request open, and sends ploke/lsp/answer afterwards. Then it sends what has been typed first.
--- @field result? any of the method, as the language server has sent it
--- @field refusal? string the server's error, if it has answered with one
--- @field failure? string why there is no answer of the server
--- @field version? integer Is that of the document which the server has answered for, if it is open in the editor.
--- @field changed? boolean Says that the server has not answered for the text of the question: the document has changed meanwhile, or has text that this server does not have.
--- @field server? ploke.LSPServer as it is after the answer

--- LSPMethod is a method of LSP that reads, or returns an edit. There is none that changes anything.
--- @alias ploke.LSPMethod 'textDocument/definition'|'textDocument/references'|'textDocument/implementation'|'textDocument/prepareRename'|'textDocument/rename'|'textDocument/prepareCallHierarchy'|'callHierarchy/incomingCalls'|'callHierarchy/outgoingCalls'|'textDocument/diagnostic'|'textDocument/codeAction'

--- An LSPServer is a language server of the editor.
--- @class ploke.LSPServer
--- @field id string identifies the server in ClientLSPParams
--- @field name string for people, such as gopls
--- @field version? string that the server gives itself; omitted if it is unknown
--- @field encoding string of positions in requests to the server and in its answers
--- @field methods ploke.LSPMethod[] that the server answers
--- @field running? string[] titles of what it does, as it has told with $/progress
--- @field ended? string[] titles of what it has done; some are enough

--- A LedgerEntry is one request to a provider.
--- @class ploke.LedgerEntry
--- @field at integer in milliseconds since 1970
--- @field conversationId string
--- @field turnId string
--- @field provider string
--- @field host? string omitted for the embedded model, which runs inside the server
--- @field model? string
--- @field bytes integer of the messages and tools of the request
--- @field secrets integer that were replaced with placeholders
--- @field files ploke.SentFile[] the ranges that no earlier request of the turn had sent to the provider
--- @field usage ploke.Usage
--- @field latencyMs integer in milliseconds

--- LedgerParams filters the ledger.
--- @class ploke.LedgerParams
--- @field since? integer in milliseconds since 1970
--- @field conversationId? string
--- @field turnId? string
--- @field limit? integer of entries, of which the newest are kept; 0 means no limit

--- LedgerResult holds the requests to providers and their total.
--- @class ploke.LedgerResult
--- @field entries ploke.LedgerEntry[] the oldest first
--- @field total ploke.Usage
--- @field today number the cost of the workspace's requests of this day, in US dollars
--- @field dailyLimit? number of that cost, in US dollars; omitted if there is none

--- A MarkdownDocument is a document to read. It never contains a key.
--- @class ploke.MarkdownDocument
--- @field markdown string

--- A Message is one message of a conversation.
--- @class ploke.Message
--- @field id string
--- @field turnId string
--- @field parentId? string omitted at the root
--- @field role ploke.MessageRole
--- @field text string Markdown
--- @field status ploke.MessageStatus
--- @field error? string why the turn failed, was interrupted or reached a limit
--- @field errorKind? ploke.ErrorKind with error, if it is known
--- @field toolCalls? ploke.ToolCall[] in their order
--- @field proposals? string[] the ids of those that the turn has staged
--- @field createdAt integer in milliseconds since 1970
--- @field attachments? ploke.Attachment[] of a user's message; sent again, they show the files as they are then
--- @field parts? ploke.Part[] Of an assistant's message. The parts are those that a client that followed the turn has drawn for this answer, in order: message, thought, toolCall, proposal, notice, citation and usage. Adjacent texts are joined, and a tool call or a proposal is one part with its last state. They have no numbers. Permission requests are not stored.
--- @field model? string the id of the Model that answered last
--- @field stopReason? ploke.StopReason omitted while the message is pending
--- @field usage? ploke.Usage of the turn; with its last answer
--- @field context? ploke.ContextUse with the turn's last answer

--- MessageRole is who wrote a message.
--- @alias ploke.MessageRole 'user'|'assistant'

--- MessageStatus is the state of a message. That of a user's message is completed.
--- @alias ploke.MessageStatus 'pending'|'completed'|'cancelled'|'failed'|'interrupted'

--- Metrics counts turns, requests to providers and tool calls.
--- @class ploke.Metrics
--- @field turns table<string, integer> by MessageStatus
--- @field requests integer
--- @field usage ploke.Usage
--- @field tools ploke.ToolMetrics[]

--- MetricsResult holds the metrics of two periods.
--- @class ploke.MetricsResult
--- @field sinceStart ploke.Metrics of the server
--- @field stored ploke.Metrics of all turns in the workspace's database

--- A Model is a model that ChatSendParams can name.
--- @class ploke.Model
--- @field id string "embedded" or PROVIDER/MODEL
--- @field configured boolean by the settings
--- @field contextTokens? integer omitted if it is unknown
--- @field price? ploke.Price omitted if it is unknown
--- @field tools boolean it can call tools
--- @field reasoning boolean
--- @field efforts? string[] Are words for how long it reasons. With one of them it is called PROVIDER/MODEL#EFFORT.

--- A ModelCall is a call of a tool.
--- @class ploke.ModelCall
--- @field id string
--- @field name string
--- @field arguments string the JSON of an object, as the model wrote it

--- ModelChooseParams names the model.
--- @class ploke.ModelChooseParams
--- @field model? string "embedded" or PROVIDER/MODEL; by default as the settings say

--- ModelDefaultResult names the model.
--- @class ploke.ModelDefaultResult
--- @field model string "embedded" or PROVIDER/MODEL

--- ModelFailure is why a model has not answered.
--- @alias ploke.ModelFailure 'notAllowed'|'notFound'|'blocked'|'quota'|'failed'

--- ModelFinish is why an answer has ended.
--- @alias ploke.ModelFinish 'stop'|'length'

--- A ModelMessage is a message to a model.
--- @class ploke.ModelMessage
--- @field role ploke.ModelRole
--- @field text string
--- @field calls? ploke.ModelCall[] of an assistant's message
--- @field callId? string of a tool's message: the call whose result it is

--- ModelPartParams is a part of an answer: text, a thought or a call.
--- @class ploke.ModelPartParams
--- @field request string
--- @field seq integer 1 for the first part; a missing one ends the answer with an error
--- @field text? string
--- @field thought? string
--- @field call? ploke.ModelCall complete

--- ModelRole is the author of a message to a model.
--- @alias ploke.ModelRole 'system'|'user'|'assistant'|'tool'

--- ModelTestParams names the model to test.
--- @class ploke.ModelTestParams
--- @field model string "embedded" or PROVIDER/MODEL

--- ModelTestResult says whether the model answered.
--- @class ploke.ModelTestResult
--- @field ok boolean
--- @field error? string what went wrong, and what to try; only if not ok
--- @field latencyMs integer until the end of the answer or the error, in milliseconds

--- A ModelTool is a tool that the model may call.
--- @class ploke.ModelTool
--- @field name string
--- @field description string
--- @field schema string the JSON of the JSON Schema of its arguments

--- A ModelsProblem is the error of a provider that could not list its models.
--- @class ploke.ModelsProblem
--- @field provider string
--- @field error string

--- ModelsResult holds the configured models and those that the providers list.
--- @class ploke.ModelsResult
--- @field default string the id of the model that is used if a message names none
--- @field models ploke.Model[]
--- @field problems ploke.ModelsProblem[] providers that could not list their models

--- NotebookCellParams names a line of a file, counted from 0.
--- @class ploke.NotebookCellParams
--- @field uri string
--- @field line integer

--- NotebookCellResult is a cell, and a line of its source. Both count from 0.
--- @class ploke.NotebookCellResult
--- @field cell integer
--- @field line integer

--- A Part is one step of a turn, sent when it happens. Several steps may be joined to one part, whose number is
--- that of the last one. A text that replaces others begins with the texts of the complete responses of the
--- model, such as those before tool calls: a client can leave them where they are.
--- @class ploke.Part
--- @field seq integer increases within a conversation; 0 for a part that belongs to no running turn
--- @field type ploke.PartType
--- @field text? string to append, or of the user's message; Markdown
--- @field replace? boolean the text replaces that of the answer, and its citations, since the last userMessage or the start
--- @field callId? string omitted outside of tool calls
--- @field tool? string its name
--- @field state? ploke.ToolCallState
--- @field summary? string of its result, or why it failed
--- @field durationMs? integer How long a call that has ended took, in milliseconds.
--- @field id? string of the proposal, of the message, of the permission request; Title of a call that has started says what it does
--- @field title? string
--- @field files? string[] paths relative to their workspace folders
--- @field status? ploke.ProposalStatus|ploke.PermissionStatus
--- @field detail? string what exactly is asked
--- @field onlyOnce? boolean as in PermissionAskParams
--- @field exact? boolean as in PermissionAskParams
--- @field version? string Is that of a proposal of which nothing is decided, as in Proposal.
--- @field uri? string with the scheme ploke-proposal if proposal is set
--- @field range? lsp.Range
--- @field canon? string the canonical name of the symbol there
--- @field proposal? string the id of the proposal that has the lines, if the file does not
--- @field cell? integer the number of the cell that the range begins in, from 1, of a notebook
--- @field usage? ploke.Usage
--- @field result? ploke.ChatSendResult
--- @field index? ploke.IndexStatus
--- @field evidence? ploke.Evidence[] of the proposal, by source, without what commands have printed

--- PartType is the type of a Part.
--- @alias ploke.PartType 'message'|'thought'|'toolCall'|'toolOutput'|'proposal'|'usage'|'evidence'|'citation'|'notice'|'turnQueued'|'steering'|'userMessage'|'permission'|'turnStarted'|'turnFinished'|'index'|'review'

--- PermissionAnswer is an answer to a permission request. Those that hold always do so for this workspace.
--- @alias ploke.PermissionAnswer 'allowOnce'|'allowAlways'|'allowExact'|'rejectOnce'|'rejectAlways'|'later'

--- PermissionAnswerParams answers the permission request with this id.
--- @class ploke.PermissionAnswerParams
--- @field id string
--- @field answer ploke.PermissionAnswer

--- PermissionAskParams is a question to the person.
--- @class ploke.PermissionAskParams
--- @field id string of the permission request, as in the parts of the turn
--- @field conversationId string empty outside of turns
--- @field turnId string empty outside of turns
--- @field callId string empty outside of tool calls
--- @field tool string empty outside of tool calls
--- @field title string one line: the action that needs permission
--- @field detail? string
--- @field onlyOnce? boolean Says that the detail is not all of what would be done. Then the client offers no answer that holds always, and the server takes one for its answer to this request alone.
--- @field exact? boolean Says that the title is about more than the detail shows, such as all commands. Then the client may offer allowExact, too.

--- PermissionAskResult is the answer of the person. Anything but an answer of this type counts as rejectOnce.
--- @class ploke.PermissionAskResult
--- @field answer ploke.PermissionAnswer

--- PermissionForgetParams names the answer to delete.
--- @class ploke.PermissionForgetParams
--- @field key string

--- PermissionListResult holds the standing answers.
--- @class ploke.PermissionListResult
--- @field permissions ploke.StandingPermission[] sorted by key

--- PermissionStatus is the state of a permission request.
--- @alias ploke.PermissionStatus 'asked'|'granted'|'denied'

--- A Price is in US dollars per million tokens.
--- @class ploke.Price
--- @field in number
--- @field out number
--- @field cachedIn? number of tokens that are read from the provider's cache; by default as in
--- @field cacheWrite? number of tokens that are written to the provider's cache; by default as in

--- A Problem is a syntax error.
--- @class ploke.Problem
--- @field line integer 1-based, in the text after the change
--- @field message string

--- A Proposal is the summary of a proposal.
--- @class ploke.Proposal
--- @field id string
--- @field title string
--- @field status ploke.ProposalStatus
--- @field conversationId? string
--- @field turnId? string
--- @field files ploke.ProposalFile[]
--- @field createdAt integer in milliseconds since 1970
--- @field version string names what it proposes and what of that is undecided; a decision names it, too
--- @field evidence? ploke.Evidence[] what is known of it besides its changes, by source

--- ProposalAcceptParams accepts a proposal. Without files and hunks it is the whole proposal. Version is that of
--- the proposal which the person has seen. If the proposal has changed since, or some of the hunks that are
--- decided on were decided meanwhile, the request fails and nothing is decided: show the proposal again. A client
--- that names no version decides on what this server has shown it last: the result of a request that reads the
--- proposal or the review, else what a turn has proposed.
--- @class ploke.ProposalAcceptParams
--- @field id string in a command it may be omitted
--- @field version? string
--- @field files? string[]
--- @field hunks? string[] their ids

--- ProposalCheckParams names a proposal; without one, it is what is not committed.
--- @class ploke.ProposalCheckParams
--- @field id? string
--- @field tests? boolean also its tests, whatever the settings say
--- @field always? boolean also stores that commands may run in a sandbox on copies of the folders that the proposal changes

--- ProposalCheckResult holds what is known then.
--- @class ploke.ProposalCheckResult
--- @field version? string as in Proposal
--- @field evidence ploke.Evidence[]
--- @field reason? string why there is none

--- ProposalDecision is the outcome of a decision on a proposal.
--- @class ploke.ProposalDecision
--- @field status ploke.ProposalStatus
--- @field version string that the proposal has now; the decision has changed nothing else of it
--- @field files ploke.ProposalFile[]

--- ProposalEditParams replaces the result of an undecided proposal for one file.
--- @class ploke.ProposalEditParams
--- @field id string
--- @field version? string that the text was made from, as in ProposalAcceptParams
--- @field file string its current name, or its new one
--- @field after string the new full text, based on that of ProposalView, or on over
--- @field over? string Is the text of the file that After was made from, if that is not the one of ProposalView: the text of the file now, as in ReviewMergeResult. A hunk that did not fit it is settled.

--- A ProposalFile is one file that a proposal changes.
--- @class ploke.ProposalFile
--- @field uri string
--- @field path string relative to its workspace folder
--- @field newUri? string of a renamed file
--- @field newPath? string of a renamed file
--- @field op ploke.FileOp a renamed file may also have edits
--- @field hunks integer how many there are
--- @field problems? ploke.Problem[] the syntax errors that the proposal adds to the file

--- ProposalGetResult is a proposal with its changes.
--- @class ploke.ProposalGetResult
--- @field proposal ploke.Proposal
--- @field preview string for people, as the setting edits.preview says: a unified diff, or the new code with its files and lines
--- @field diff string a unified diff
--- @field files ploke.ProposalView[]
--- @field conflicts? ploke.Conflict[] with the current text of its files

--- ProposalListParams filters the proposals.
--- @class ploke.ProposalListParams
--- @field status? ploke.ProposalStatus by default all

--- ProposalListResult holds proposals.
--- @class ploke.ProposalListResult
--- @field proposals ploke.Proposal[] the newest first

--- ProposalParams names a proposal. In a command it may be omitted.
--- @class ploke.ProposalParams
--- @field id string
--- @field version? string that was shown, as in ProposalAcceptParams; to read a proposal, none is needed

--- ProposalRejectParams rejects a proposal. Without files and hunks it is the whole proposal.
--- @class ploke.ProposalRejectParams
--- @field id string in a command it may be omitted
--- @field version? string that was shown, as in ProposalAcceptParams
--- @field files? string[]
--- @field hunks? string[] their ids
--- @field reason? string for the model

--- ProposalStatus is the state of a proposal or of one of its hunks.
--- @alias ploke.ProposalStatus 'staged'|'accepted'|'applied'|'verified'|'rejected'|'stale'|'failed'|'undone'|'withdrawn'|'partial'

--- A ProposalView is the full text of one file of a proposal, before and after the change. A file that was
--- accepted in part has several.
--- @class ploke.ProposalView
--- @field uri string
--- @field path string relative to its workspace folder
--- @field newUri? string of a renamed file
--- @field newPath? string of a renamed file
--- @field op ploke.FileOp
--- @field before string
--- @field after string
--- @field added integer how many lines it adds
--- @field removed integer how many lines it removes
--- @field hunks ploke.Hunk[]

--- A Respelling is a word that no file has, with the names and words that were searched for instead.
--- @class ploke.Respelling
--- @field word string
--- @field as string[]

--- ReviewMergeParams names a file of a proposal.
--- @class ploke.ReviewMergeParams
--- @field id string of the proposal
--- @field uri string of the file, under its current name or its new one

--- ReviewMergeResult holds the whole texts of a file for a three-way merge, with the names of Conflict. A text is
--- empty if the file does not exist there. Without conflicts, theirs and merged are what a diff of the waiting
--- change shows.
--- @class ploke.ReviewMergeResult
--- @field base string before the proposal
--- @field ours string as the proposal would have it
--- @field theirs string as the file is now
--- @field merged string as the file is now, with the hunks that fit
--- @field version? integer of the document whose text theirs is; omitted if it is not open
--- @field proposalVersion string as in Proposal

--- ReviewResult holds the proposals that wait for a decision.
--- @class ploke.ReviewResult
--- @field proposals ploke.ReviewedProposal[] the newest first, at most 100

--- A ReviewedFile is what waits of a proposal in one file.
--- @class ploke.ReviewedFile
--- @field uri string
--- @field path string relative to its workspace folder
--- @field newUri? string of a file that is renamed
--- @field newPath? string of a file that is renamed
--- @field op ploke.FileOp
--- @field version? integer of the document that the ranges are in; omitted if it is not open
--- @field reason? string why the file as a whole does not fit; omitted if it does
--- @field hunks ploke.ReviewedHunk[] in the order of the file

--- A ReviewedHunk is a hunk that waits. Its range and its texts are whole lines, unless another hunk shares a
--- line with it. The range ends after the line break of its last line. It is empty if the hunk only inserts, if
--- the file does not exist, and if the file as a whole does not fit.
--- @class ploke.ReviewedHunk
--- @field id string
--- @field summary string what it does, in one line
--- @field range lsp.Range in the text as it is now; of a hunk that does not fit, the lines with which it conflicts
--- @field oldText string the text of the range
--- @field newText string what replaces it; of a hunk that does not fit, the lines that it proposes
--- @field rename? boolean the hunk renames the file, and changes no text
--- @field conflict? boolean the hunk does not fit the text as it is now

--- A ReviewedProposal is what waits of a proposal.
--- @class ploke.ReviewedProposal
--- @field id string
--- @field title string
--- @field conversationId? string
--- @field status ploke.ProposalStatus
--- @field version string as in Proposal
--- @field evidence? ploke.Evidence[] as in Proposal
--- @field files ploke.ReviewedFile[] of which something waits; none while all of it is being applied

--- A SearchHit is one symbol or file.
--- @class ploke.SearchHit
--- @field uri string
--- @field range lsp.Range
--- @field path string relative to its workspace folder
--- @field canon string the canonical name of the symbol, empty for a file
--- @field kind string such as function, method, type or file
--- @field signature? string
--- @field score number comparable within one result only

--- SearchParams is a search query.
--- @class ploke.SearchParams
--- @field query string words, names or a sentence
--- @field limit? integer by default 20

--- SearchResult holds the hits.
--- @class ploke.SearchResult
--- @field results ploke.SearchHit[] the best first
--- @field partial? boolean the first indexing has not ended
--- @field respelled? ploke.Respelling[] the words of the query that no file has
--- @field doubt? string why probably none of the results fits
--- @field withoutVectors? string why the search did not use the vectors that the index has

--- A SentFile is a range of lines of a file that was sent.
--- @class ploke.SentFile
--- @field uri string
--- @field path string absolute
--- @field startLine integer 1-based
--- @field endLine integer 1-based and inclusive
--- @field bytes integer of the lines
--- @field sha256 string of the lines, in hexadecimal
--- @field range? ploke.ByteRange where the lines are in the current file; omitted if their text has changed

--- A Sibling is one of the messages at a fork.
--- @class ploke.Sibling
--- @field id string
--- @field role ploke.MessageRole
--- @field status ploke.MessageStatus
--- @field excerpt string its first words, on one line
--- @field createdAt integer in milliseconds since 1970
--- @field leafId string of the newest branch through it, for ChatHistoryParams
--- @field current boolean it is on the branch

--- A SlashCommand is a command by its name. Unknown values are omitted.
--- @class ploke.SlashCommand
--- @field name string without the slash
--- @field description? string
--- @field argumentHint? string

--- A SlashCommandProblem says why a file, or the folder, can't be used.
--- @class ploke.SlashCommandProblem
--- @field path string
--- @field error string

--- SlashCommandsResult holds the commands, and what is wrong with other files in the user's folder.
--- @class ploke.SlashCommandsResult
--- @field folder string a path; empty if there can't be commands
--- @field commands ploke.SlashCommand[] by name
--- @field problems ploke.SlashCommandProblem[]

--- A StandingPermission is an answer that holds always.
--- @class ploke.StandingPermission
--- @field key string
--- @field title string of the permission request
--- @field allowed boolean
--- @field since string

--- StopReason is why a turn ended.
--- @alias ploke.StopReason 'done'|'cancelled'|'limit'|'error'

--- SymbolParams is the argument of ploke.explain, ploke.document, ploke.tests, ploke.refactor, ploke.generate and
--- ploke.comment.
--- @class ploke.SymbolParams
--- @field uri? string by default the place is where the cursor was last
--- @field range? lsp.Range whose start selects the declaration
--- @field wholeFile? boolean instead of a declaration

--- A ToolCall is the summary of a tool call, for people. ploke/tool/result reads its arguments and its result.
--- @class ploke.ToolCall
--- @field callId string
--- @field tool string its name
--- @field summary? string
--- @field error? string why it failed
--- @field durationMs integer in milliseconds

--- ToolCallState is the state of a tool call.
--- @alias ploke.ToolCallState 'started'|'finished'|'failed'

--- ToolMetrics counts the finished calls of one tool.
--- @class ploke.ToolMetrics
--- @field tool string
--- @field completed integer
--- @field failed integer without those that timed out
--- @field timedOut integer
--- @field meanMs number in milliseconds
--- @field longestMs number in milliseconds

--- ToolResult is a range of a text of a tool call. Secrets that were found in the text are placeholders.
--- @class ploke.ToolResult: ploke.ToolCall
--- @field text string begins and ends between characters
--- @field offset integer of the text, in bytes
--- @field total integer the length of the whole text in bytes
--- @field next? integer the offset of the next range, omitted at the end

--- ToolResultParams selects a range of a text in UTF-8.
--- @class ploke.ToolResultParams
--- @field conversationId string
--- @field callId string
--- @field text? ploke.ToolText by default result
--- @field offset? integer of the first byte
--- @field limit? integer in bytes; by default 65536, at most 1048576

--- ToolText is one of the texts of a tool call.
--- @alias ploke.ToolText 'arguments'|'result'

--- TurnStarted is the result of a command that starts a turn. The command does not wait for the turn's end.
--- @class ploke.TurnStarted
--- @field conversationId string
--- @field turnId string

--- An UnknownMention is a word that looks like a mention, and names nothing or several symbols, or a file without
--- its folder.
--- @class ploke.UnknownMention
--- @field text string as it is in the message, with the @ or the #
--- @field reason string
--- @field count? integer how many symbols, or files in folders, have this name

--- Usage counts the tokens of a turn, or of a request.
--- @class ploke.Usage
--- @field in integer
--- @field out integer
--- @field cached integer of those in, read from the provider's cache
--- @field cost? number in US dollars; omitted if the price is unknown

--- WhileBusy is what happens to a message while another turn runs in its conversation.
--- @alias ploke.WhileBusy 'queue'|'steer'

return M
