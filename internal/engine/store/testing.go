package store

import "fmt"

// LimitPages keeps the database from growing beyond a number of pages, which to the engine is a full disk. For tests.
func LimitPages(s *Store, pages int) error {
	_, err := s.write.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	return err
}

// SetVersion writes another schema version into the database. For tests.
func SetVersion(s *Store, version int) error {
	_, err := s.write.Exec(fmt.Sprintf("PRAGMA user_version = %d", version))
	return err
}
