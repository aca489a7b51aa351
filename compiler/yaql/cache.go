package yaql

import "sync"

// Cache keeps parsed texts, for callers that evaluate the same strings again and again. The zero Cache is ready and
// safe for concurrent use. It is emptied when it holds cacheTexts.
type Cache struct {
	mu    sync.Mutex
	texts map[string]*Text
	exprs map[string]cachedExpr
}

const cacheTexts = 4096

type cachedExpr struct {
	expr *Expr
	err  *SyntaxError
}

// Text is ParseText.
func (c *Cache) Text(s string) *Text {
	c.mu.Lock()
	t := c.texts[s]
	c.mu.Unlock()
	if t != nil {
		return t
	}
	t = ParseText(s)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.texts == nil || len(c.texts) >= cacheTexts {
		c.texts = map[string]*Text{}
	}
	c.texts[s] = t
	return t
}

// Expr is Parse.
func (c *Cache) Expr(s string) (*Expr, *SyntaxError) {
	c.mu.Lock()
	e, ok := c.exprs[s]
	c.mu.Unlock()
	if ok {
		return e.expr, e.err
	}
	e.expr, e.err = Parse(s)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.exprs == nil || len(c.exprs) >= cacheTexts {
		c.exprs = map[string]cachedExpr{}
	}
	c.exprs[s] = e
	return e.expr, e.err
}
