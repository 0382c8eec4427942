package llm

import (
	"context"
	"net/http"
	"net/url"

	"github.com/tidwall/gjson"
)

// Models implements [Lister].
func (p *anthropicAPI) Models(ctx context.Context) ([]ModelInfo, error) {
	var infos []ModelInfo
	for path := "v1/models"; path != ""; {
		var page jsonValue
		if err := p.doJSON(ctx, p.pages, http.MethodGet, path, nil, &page); err != nil {
			return nil, p.explain(ctx, err)
		}
		models := listOf(page.Result, "data")
		if len(infos)+len(models) > maxModels {
			return nil, p.explain(ctx, tooMany())
		}
		for _, m := range models {
			infos = append(infos, anthropicModel(m))
		}
		path = nextPage(page.Result, len(models))
	}
	return infos, nil
}

// nextPage returns the path of the page behind one that has some models, or "" if that is the last.
func nextPage(page gjson.Result, models int) string {
	last := page.Get("last_id").String()
	if models == 0 || last == "" || page.Get("has_more").Type == gjson.False {
		return ""
	}
	return "v1/models?" + url.Values{"after_id": {last}}.Encode()
}

func anthropicModel(m gjson.Result) ModelInfo {
	info := ModelInfo{
		ID:            m.Get("id").String(),
		ContextTokens: int(m.Get("max_input_tokens").Int()),
		AnswerTokens:  int(m.Get("max_tokens").Int()),
		Tools:         true,
		Reasoning:     m.Get("capabilities.thinking.types.adaptive.supported").Bool(),
	}
	for _, effort := range []string{"low", "medium", "high", "xhigh", "max"} {
		if m.Get("capabilities.effort." + effort + ".supported").Bool() {
			info.Efforts = append(info.Efforts, effort)
		}
	}
	return info
}
