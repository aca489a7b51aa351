package engine

import "github.com/hotloom/hotloom/internal/engine/store"

// StoreOf lets tests reach the store.
func StoreOf(e *Engine) *store.Store { return e.store }
