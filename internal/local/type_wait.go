package local

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
)

// waitHandle is OS::Heat::WaitConditionHandle and its AWS form. Signals come in by HTTP on the loopback interface as
// long as `up` runs: POST or PUT the usual JSON to the handle's endpoint, or use its curl_cli.
type waitHandle struct{}

func (waitHandle) Make(_ context.Context, i *Instance) error {
	if i.Record.ID == "" {
		i.Record.ID = newUUID()
		i.Record.Token = rand.Text()
	}
	endpoint, err := i.runtime.listen(i.Record)
	if err != nil {
		return err
	}
	return setEndpoint(i.Record, endpoint)
}

// setEndpoint notes where a handle's signals go.
func setEndpoint(rec *Record, endpoint string) error {
	url := endpoint + "?token=" + rec.Token
	signal, err := json.Marshal(map[string]string{"alarm_url": url})
	if err != nil {
		return err
	}
	rec.Secret = []string{"token"}
	rec.Attributes = newValues("token", rec.Token, "endpoint", endpoint, "signal", string(signal), "curl_cli",
		fmt.Sprintf("curl -i -X POST -H 'X-Auth-Token: %s' -H 'Content-Type: application/json' -H 'Accept: application/json' %s", rec.Token, endpoint))
	if strings.HasPrefix(rec.Type, "AWS::") {
		rec.Ref = url
	}
	return nil
}

// signalServer takes the signals of a stack's handles.
type signalServer struct {
	server *http.Server
	done   chan struct{}
	port   int
}

// listen starts the server for signals, on the port that it had before where that is free, and gives a handle's endpoint.
func (r *Runtime) listen(rec *Record) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.signals == nil {
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(r.state.Info().Port))
		if err != nil {
			l, err = net.Listen("tcp", "127.0.0.1:0")
		}
		if err != nil {
			return "", fmt.Errorf("signals: %w", err)
		}
		s := &signalServer{done: make(chan struct{}), port: l.Addr().(*net.TCPAddr).Port}
		s.server = &http.Server{Handler: http.HandlerFunc(r.signal), ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second}
		go func() {
			defer close(s.done)
			_ = s.server.Serve(l) // ends when it is closed
		}()
		r.signals = s
		if err := r.state.SetInfo(func(i *Info) { i.Port = s.port }); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("http://127.0.0.1:%d/signal/%s", r.signals.port, rec.ID), nil
}

// stopSignals ends the server for signals.
func (r *Runtime) stopSignals() {
	r.mu.Lock()
	s := r.signals
	r.signals = nil
	r.mu.Unlock()
	if s != nil {
		_ = s.server.Close()
		<-s.done
	}
}

// maxSignal bounds one signal.
const maxSignal = 1 << 20

// signal takes one signal.
func (r *Runtime) signal(w http.ResponseWriter, req *http.Request) {
	id, ok := strings.CutPrefix(req.URL.Path, "/signal/")
	if !ok || req.Method != http.MethodPost && req.Method != http.MethodPut {
		http.Error(w, "POST to /signal/ID", http.StatusNotFound)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxSignal))
	if err != nil {
		http.Error(w, "the signal is too large", http.StatusRequestEntityTooLarge)
		return
	}
	token := req.Header.Get("X-Auth-Token")
	if token == "" {
		token = req.URL.Query().Get("token")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, rec := range r.state.Records() {
		if rec.ID != id || rec.Token == "" || subtle.ConstantTimeCompare([]byte(token), []byte(rec.Token)) != 1 {
			continue
		}
		if err := r.state.Change(rec.Key, func(rec *Record) error { return addSignal(rec, string(body)) }); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if waiting := r.waits[rec.Key]; waiting != nil {
			close(waiting)
			delete(r.waits, rec.Key)
		}
		return
	}
	http.Error(w, "there is no such handle, or the token is another one", http.StatusForbidden)
}

// addSignal keeps a signal by its id. Keys are those of both forms: status or Status, and so on.
func addSignal(rec *Record, body string) error {
	v, err := value.ParseJSON(body)
	m, ok := v.(*value.Map)
	if strings.TrimSpace(body) == "" {
		m, ok, err = value.NewMap(0), true, nil
	}
	if err != nil || !ok {
		return errors.New("a signal is a JSON object")
	}
	if rec.Signals.Map == nil {
		rec.Signals = newValues()
	}
	id := strconv.Itoa(rec.Signals.Len() + 1)
	entry := value.MapOf("status", "SUCCESS", "reason", "Signal "+id+" received", "data", nil)
	for k, v := range m.All() {
		switch name := strings.ToLower(value.Str(k)); name {
		case "id", "uniqueid":
			id = value.Str(v)
		case "status", "reason", "data":
			entry.SetStr(name, v)
		default:
			return fmt.Errorf("a signal has status, reason, data and id, not %s", value.Str(k))
		}
	}
	if status, _ := entry.GetStr("status"); status != "SUCCESS" && status != "FAILURE" {
		return errors.New("a signal's status is SUCCESS or FAILURE")
	}
	rec.Signals = Values{rec.Signals.Clone()}
	rec.Signals.SetStr(id, entry)
	return nil
}

// waitCondition is OS::Heat::WaitCondition and its AWS form, which name the properties in their own way.
type waitCondition struct{ count, timeout, handle, data string }

func (t waitCondition) Make(ctx context.Context, i *Instance) error {
	i.identify()
	count, err := i.number(t.count, 1)
	if err != nil {
		return err
	}
	seconds, err := i.number(t.timeout, 0)
	if err != nil {
		return err
	}
	key := ""
	for _, rec := range i.runtime.state.Records() {
		if h := i.get(t.handle, nil); rec.Token != "" && (rec.ID == h || rec.Ref != "" && rec.Ref == h) {
			key = rec.Key
		}
	}
	if key == "" {
		return i.wrong(t.handle, "is no handle of this stack")
	}
	if _, err := i.runtime.listen(i.runtime.state.Record(key)); err != nil {
		return err
	}
	timer := time.NewTimer(time.Duration(min(seconds, 43200) * float64(time.Second)))
	defer timer.Stop()
	for {
		signals, more := i.runtime.received(key)
		data, have, failure := gathered(signals)
		switch {
		case failure != "":
			return errors.New(failure)
		case float64(have) >= count:
			text, err := value.JSON(data, value.JSONOptions{})
			i.Record.Attributes = newValues(t.data, text)
			return err
		}
		select {
		case <-more:
		case <-timer.C:
			return fmt.Errorf("%d of %d received after %v s", have, int(count), seconds)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// received are a handle's signals, and a channel that is closed when another comes.
func (r *Runtime) received(key string) (Values, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	waiting := r.waits[key]
	if waiting == nil {
		waiting = make(chan struct{})
		r.waits[key] = waiting
	}
	rec := r.state.Record(key)
	if rec == nil {
		return Values{}, waiting
	}
	return rec.Signals, waiting
}

// gathered is the data of signals by id, their number, and the reasons of those that say that something failed.
func gathered(signals Values) (data *value.Map, n int, failure string) {
	data = value.NewMap(0)
	if signals.Map == nil {
		return data, 0, ""
	}
	var reasons []string
	for id, v := range signals.All() {
		entry := v.(*value.Map) // as addSignal makes them
		d, _ := entry.GetStr("data")
		data.SetStr(value.Str(id), d)
		if status, _ := entry.GetStr("status"); status != "SUCCESS" {
			reason, _ := entry.GetStr("reason")
			reasons = append(reasons, value.Str(reason))
		}
	}
	slices.Sort(reasons)
	return data, signals.Len(), strings.Join(reasons, ";")
}
