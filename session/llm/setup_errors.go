package llm

import "ploke-lsp/internal/lazyregexp"

// What servers say of a model that is not set up for the requests of this program. The table of
// TestErrorsOfTheSetupHaveTheirOwnClass holds the sentences.
var (
	parallelText = lazyregexp.New(`(?i)` + parallelCalls) // without which a model may still take tools

	noToolsText = lazyregexp.New(`(?i)\b(does not|doesn't|do not|don't|cannot|can't|not) support (native |the |any |` +
		`parameters?:? )?[['"\x60]*(tools?|functions?)\b` +
		`|\b(tools?|tool[ _]?(calls?|calling|use)|functions?|function[ _]calls?|function[ _]calling)['"\x60]?( parameter|` +
		` param)?( is| are)? (not|un)[ -]?(supported|available|enabled|permitted|allowed)` +
		`|\bno endpoints found that support tool` +
		`|\btools? param(eter)? requires|--jinja\b|--enable-auto-tool-choice|--tool-call-parser` +
		`|\b(unsupported|unknown|unrecognized|unexpected)( \w+){0,3}:? ['"\x60]?(tools|functions)['"\x60]?(\W|$)` +
		`|(^|[^.\w])['"\x60]?tools['"\x60]?: (extra inputs|unknown|unsupported|unexpected|not (supported|permitted|allowed))`)

	schemaText = lazyregexp.New(`(?i)\binvalid (json )?schema\b|\binvalid (tool|function|parameters?|input) schema|` +
		`\binput_schema\b|` +
		`does not match (the )?(json|provided|tool|draft)[ \w]*schema|json schema (is |conversion|contains|not|with|draft)|` +
		`\bunsupported (json )?schema|` +
		`schema (is|has|contains|uses)? ?(an? )?(not supported|unsupported|invalid)|unrecognized schema|` +
		`failed to (parse|compile|initialize) (the )?(grammar|schema)|` +
		`function_?declarations?\[[0-9]+\]\.parameters|tools[\[.][0-9]+\]?\.(function|custom)\.(parameters|input_schema)`)

	templateText = lazyregexp.New(`(?i)\bjinja|\braise_exception|\bminja\b|chat[ _-]template|prompt[ _-]template|` +
		`apply(ing)? (the )?template|render(ing)? (the )?template|\btemplate: ?:?[0-9]*:|` +
		`roles must alternate|must alternate between|unexpected (message )?role|unsupported (message )?role|` +
		`invalid role order|` +
		`system (message|role|prompt)s? (must|should|can|may|is|are|not)\b|\b(one|single|multiple|several) system message|` +
		`only (support )?user(,| and) assistant|roles are supported|expected last role|` +
		`(first|last) message (must|should|has to) be|` +
		`(after|before|following) (the )?(tool|system|user|assistant) (message|role)|` +
		`role ['"\x60]?(user|tool|system|assistant)['"\x60]? (after|before|cannot|can't|must|is not)|` +
		`(no|cannot have|more than one|two or more|2 or more) (user|assistant|system) (message|query|turn)`)
)
