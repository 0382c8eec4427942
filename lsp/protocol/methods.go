package protocol

import "reflect"

// A Method is the signature of a ploke/* method.
type Method struct {
	Name         string
	FromServer   bool         // the server sends it; the client names it in its capabilities
	Notification bool         // without a reply
	Params       reflect.Type // nil if it has none
	Result       reflect.Type // nil if it has none: the reply is an empty object
}

// None stands for no parameters, or no result.
type None struct{}

// AllMethods is the table of every ploke/* method.
func AllMethods() []Method {
	return []Method{
		request[ChatCreateParams, ChatCreateResult](MethodChatCreate),
		request[None, ChatListResult](MethodChatList),
		request[ChatHistoryParams, ChatHistoryResult](MethodChatHistory),
		request[ChatSiblingsParams, ChatSiblingsResult](MethodChatSiblings),
		request[ChatSendParams, ChatSendResult](MethodChatSend),
		request[ChatCompleteParams, ChatCompleteResult](MethodChatComplete),
		request[ChatSentParams, ChatSentResult](MethodChatSent),
		request[ChatMentionsParams, ChatMentionsResult](MethodChatMentions),
		request[ChatPlacesParams, ChatPlacesResult](MethodChatPlaces),
		request[NotebookCellParams, NotebookCellResult](MethodNotebookCell),
		request[Attachment, AttachmentDetails](MethodChatAttachment),
		request[ChatStopParams, None](MethodChatStop),
		request[ChatAttachParams, ChatAttachResult](MethodChatAttach),
		request[ChatRenameParams, None](MethodChatRename),
		request[ChatDeleteParams, None](MethodChatDelete),
		request[ChatSearchParams, ChatSearchResult](MethodChatSearch),
		request[ChatExportParams, ChatExportResult](MethodChatExport),
		request[ToolResultParams, ToolResult](MethodToolResult),
		request[PermissionAnswerParams, None](MethodPermissionAnswer),
		request[None, PermissionListResult](MethodPermissionList),
		request[PermissionForgetParams, None](MethodPermissionForget),
		request[ProposalListParams, ProposalListResult](MethodProposalList),
		request[ProposalParams, ProposalGetResult](MethodProposalGet),
		request[ProposalAcceptParams, ProposalDecision](MethodProposalAccept),
		request[ProposalRejectParams, ProposalDecision](MethodProposalReject),
		request[ProposalEditParams, ProposalDecision](MethodProposalEdit),
		request[ProposalParams, ProposalDecision](MethodProposalUndo),
		request[ProposalParams, ProposalDecision](MethodProposalRedo),
		request[ProposalCheckParams, ProposalCheckResult](MethodProposalCheck),
		request[None, ReviewResult](MethodReview),
		request[ReviewMergeParams, ReviewMergeResult](MethodReviewMerge),
		request[SearchParams, SearchResult](MethodSearch),
		request[None, ModelsResult](MethodModels),
		request[None, ModelDefaultResult](MethodModelDefault),
		request[ModelChooseParams, None](MethodModelChoose),
		request[ModelTestParams, ModelTestResult](MethodModelTest),
		{Name: MethodModelPart, Notification: true, Params: reflect.TypeFor[ModelPartParams]()},
		{Name: MethodServerAnswer, Notification: true, Params: reflect.TypeFor[LSPAnswer]()},
		request[None, SlashCommandsResult](MethodSlashCommands),
		request[None, ExamplesResult](MethodExamples),
		request[LedgerParams, LedgerResult](MethodLedger),
		request[LedgerParams, MarkdownDocument](MethodLedgerDocument),
		request[None, DoctorResult](MethodDoctor),
		request[None, MetricsResult](MethodMetrics),
		request[None, IndexStatus](MethodIndexStatus),
		request[None, None](MethodIndexRebuild),
		request[None, None](MethodIndexPause),
		request[None, None](MethodIndexResume),

		toClient(request[PermissionAskParams, PermissionAskResult](MethodPermissionAsk)),
		toClient(request[ClientDiagnosticsParams, ClientDiagnosticsResult](MethodClientDiagnostics)),
		toClient(request[None, ClientState](MethodClientState)),
		toClient(request[None, ClientTerminalResult](MethodClientTerminal)),
		toClient(request[None, ClientModelsResult](MethodClientModels)),
		toClient(request[ClientModelSendParams, ClientModelSendResult](MethodClientModelSend)),
		toClient(request[ClientLSPServersParams, ClientLSPServersResult](MethodClientServers)),
		toClient(request[ClientLSPParams, LSPAnswer](MethodClientAsk)),
		{Name: MethodEvent, FromServer: true, Notification: true, Params: reflect.TypeFor[Event]()},
	}
}

// Methods returns the names of the ploke/* requests that the server handles.
func Methods() (names []string) {
	for _, m := range AllMethods() {
		if !m.FromServer {
			names = append(names, m.Name)
		}
	}
	return names
}

func request[P, R any](name string) Method {
	return Method{Name: name, Params: typeOf[P](), Result: typeOf[R]()}
}

func toClient(m Method) Method {
	m.FromServer = true
	return m
}

// typeOf returns a type, or nil for None.
func typeOf[T any]() reflect.Type {
	if t := reflect.TypeFor[T](); t != reflect.TypeFor[None]() {
		return t
	}
	return nil
}
