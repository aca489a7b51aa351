package lsp

import "encoding/json"

// This file is the part of the Language Server Protocol 3.17 that is served, under the protocol's own names.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct { // Range
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type locationLink struct {
	Origin    span   `json:"originSelectionRange"`
	URI       string `json:"targetUri"`
	Range     span   `json:"targetRange"`
	Selection span   `json:"targetSelectionRange"`
}

type initializeParams struct {
	Capabilities clientCapabilities `json:"capabilities"`
	ClientInfo   *struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"clientInfo"`
}

type clientCapabilities struct {
	General struct {
		PositionEncodings []string `json:"positionEncodings"`
	} `json:"general"`
	Workspace struct {
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
		WorkspaceEdit struct {
			DocumentChanges bool `json:"documentChanges"`
		} `json:"workspaceEdit"`
	} `json:"workspace"`
	TextDocument struct {
		Completion struct {
			CompletionItem struct {
				SnippetSupport        bool     `json:"snippetSupport"`
				DeprecatedSupport     bool     `json:"deprecatedSupport"`
				DocumentationFormat   []string `json:"documentationFormat"`
				InsertTextModeSupport struct {
					ValueSet []int `json:"valueSet"`
				} `json:"insertTextModeSupport"`
				TagSupport struct {
					ValueSet []int `json:"valueSet"`
				} `json:"tagSupport"`
			} `json:"completionItem"`
		} `json:"completion"`
		Hover struct {
			ContentFormat []string `json:"contentFormat"`
		} `json:"hover"`
		Definition struct {
			LinkSupport bool `json:"linkSupport"`
		} `json:"definition"`
		DocumentSymbol struct {
			Hierarchical bool `json:"hierarchicalDocumentSymbolSupport"`
		} `json:"documentSymbol"`
		CodeAction struct {
			LiteralSupport *struct{} `json:"codeActionLiteralSupport"`
		} `json:"codeAction"`
		PublishDiagnostics struct {
			RelatedInformation bool `json:"relatedInformation"`
			CodeDescription    bool `json:"codeDescriptionSupport"`
			VersionSupport     bool `json:"versionSupport"`
			TagSupport         struct {
				ValueSet []int `json:"valueSet"`
			} `json:"tagSupport"`
		} `json:"publishDiagnostics"`
	} `json:"textDocument"`
}

type initializeResult struct {
	Capabilities serverCapabilities `json:"capabilities"`
	ServerInfo   serverInfo         `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type serverCapabilities struct {
	PositionEncoding encoding `json:"positionEncoding"`
	TextDocumentSync struct {
		OpenClose bool `json:"openClose"`
		Change    int  `json:"change"`
		Save      bool `json:"save"`
	} `json:"textDocumentSync"`
	Hover             bool              `json:"hoverProvider"`
	Completion        completionOptions `json:"completionProvider"`
	Definition        bool              `json:"definitionProvider"`
	References        bool              `json:"referencesProvider"`
	DocumentHighlight bool              `json:"documentHighlightProvider"`
	DocumentSymbol    bool              `json:"documentSymbolProvider"`
	CodeAction        codeActionOptions `json:"codeActionProvider"`
	Rename            renameOptions     `json:"renameProvider"`
}

type completionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
	Resolve           bool     `json:"resolveProvider"`
}

type codeActionOptions struct {
	Kinds []string `json:"codeActionKinds"`
}

type renameOptions struct {
	Prepare bool `json:"prepareProvider"`
}

type textDocument struct {
	URI string `json:"uri"`
}

type didOpenParams struct {
	Document struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	Document struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	Changes []contentChange `json:"contentChanges"`
}

// contentChange is a new text, or where Range is set, that of a part.
type contentChange struct {
	Range *span  `json:"range"`
	Text  string `json:"text"`
}

type documentParams struct {
	Document textDocument `json:"textDocument"`
}

type positionParams struct {
	Document textDocument `json:"textDocument"`
	Position position     `json:"position"`
}

type referenceParams struct {
	positionParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

type renameParams struct {
	positionParams
	NewName string `json:"newName"`
}

type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

type watchedFilesParams struct {
	Changes []struct {
		URI string `json:"uri"`
	} `json:"changes"`
}

// Severities, tags and kinds of the protocol.
const (
	severityError   = 1
	severityWarning = 2
	severityInfo    = 3

	tagUnnecessary = 1
	tagDeprecated  = 2

	messageError   = 1
	messageWarning = 2

	syncIncremental = 2

	itemFunction = 3
	itemVariable = 6
	itemClass    = 7
	itemModule   = 9
	itemProperty = 10
	itemValue    = 12
	itemKeyword  = 14
	itemFile     = 17
	itemField    = 5

	snippetFormat     = 2
	adjustIndentation = 2

	symbolModule    = 2
	symbolNamespace = 3
	symbolClass     = 5
	symbolProperty  = 7
	symbolFunction  = 12
	symbolVariable  = 13
	symbolBoolean   = 17
	symbolEvent     = 24

	highlightRead  = 2
	highlightWrite = 3

	codeServerNotInitialized = -32002
	codeRequestCancelled     = -32800
	codeRequestFailed        = -32803
)

type diagnostic struct {
	Range       span                 `json:"range"`
	Severity    int                  `json:"severity"`
	Code        string               `json:"code,omitempty"`
	Description *codeDescription     `json:"codeDescription,omitempty"`
	Source      string               `json:"source"`
	Message     string               `json:"message"`
	Tags        []int                `json:"tags,omitempty"`
	Related     []relatedInformation `json:"relatedInformation,omitempty"`
}

type codeDescription struct {
	Href string `json:"href"`
}

type relatedInformation struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type publishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type showMessageParams struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    span   `json:"range"`
}

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

type completionItem struct {
	Label            string          `json:"label"`
	Kind             int             `json:"kind,omitempty"`
	Tags             []int           `json:"tags,omitempty"`
	Deprecated       bool            `json:"deprecated,omitempty"`
	Detail           string          `json:"detail,omitempty"`
	Documentation    *markup         `json:"documentation,omitempty"`
	SortText         string          `json:"sortText,omitempty"`
	InsertTextFormat int             `json:"insertTextFormat,omitempty"`
	InsertTextMode   int             `json:"insertTextMode,omitempty"`
	TextEdit         *textEdit       `json:"textEdit,omitempty"`
	Data             *completionData `json:"data,omitempty"`
}

// completionData leads completionItem/resolve to a resource type's description.
type completionData struct {
	URI  string `json:"uri"`
	Type string `json:"type"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes,omitempty"`
	DocumentChanges []documentEdit        `json:"documentChanges,omitempty"`
}

type documentEdit struct {
	Document struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	} `json:"textDocument"`
	Edits []textEdit `json:"edits"`
}

type codeActionParams struct {
	Document textDocument `json:"textDocument"`
	Range    span         `json:"range"`
	Context  struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	Preferred   bool           `json:"isPreferred,omitempty"`
	Edit        *workspaceEdit `json:"edit"`
}

type documentSymbol struct {
	Name      string           `json:"name"`
	Detail    string           `json:"detail,omitempty"`
	Kind      int              `json:"kind"`
	Range     span             `json:"range"`
	Selection span             `json:"selectionRange"`
	Children  []documentSymbol `json:"children,omitempty"`
}

type symbolInformation struct {
	Name      string   `json:"name"`
	Kind      int      `json:"kind"`
	Location  location `json:"location"`
	Container string   `json:"containerName,omitempty"`
}

type documentHighlight struct {
	Range span `json:"range"`
	Kind  int  `json:"kind"`
}

type registrationParams struct {
	Registrations []registration `json:"registrations"`
}

type registration struct {
	ID      string `json:"id"`
	Method  string `json:"method"`
	Options any    `json:"registerOptions,omitempty"`
}
