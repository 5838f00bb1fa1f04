package stock

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// Item is one article and how many of it are there.
type Item struct {
	Code  string
	Name  string
	Count int
}

// Store keeps items.
type Store interface {
	Get(code string) (Item, bool)
	Put(item Item) error
	Delete(code string) error
	All() ([]Item, error)
	Close() error
}

// MemoryStore keeps items in a map.
type MemoryStore struct {
	items map[string]Item
	puts  int
}

// NewMemoryStore makes an empty store.
func NewMemoryStore() *MemoryStore {
	return &MemoryStore{items: make(map[string]Item)}
}

// Get finds an item by its code.
func (s *MemoryStore) Get(code string) (Item, bool) {
	item, ok := s.items[normalise(code)]
	return item, ok
}

// Put stores an item under its code.
func (s *MemoryStore) Put(item Item) error {
	if err := check(item); err != nil {
		return err
	}
	item.Code = normalise(item.Code)
	s.items[item.Code] = item
	s.puts++
	return nil
}

// Delete forgets an item.
func (s *MemoryStore) Delete(code string) error {
	code = normalise(code)
	if _, ok := s.items[code]; !ok {
		return fmt.Errorf("no item %q", code)
	}
	delete(s.items, code)
	return nil
}

// All lists the items by code.
func (s *MemoryStore) All() ([]Item, error) {
	items := make([]Item, 0, len(s.items))
	for _, item := range s.items {
		items = append(items, item)
	}
	sort.Slice(items, func(i, j int) bool { return items[i].Code < items[j].Code })
	return items, nil
}

// FileStore keeps items in a text file, one a line.
type FileStore struct {
	path  string
	items map[string]Item
	dirty bool
}

// OpenFileStore reads the file at path; a missing file is an empty store.
func OpenFileStore(path string) (*FileStore, error) {
	store := &FileStore{path: path, items: make(map[string]Item)}
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		return store, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := store.read(file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return store, nil
}

// Get finds an item by its code.
func (s *FileStore) Get(code string) (Item, bool) {
	item, ok := s.items[normalise(code)]
	return item, ok
}

// Put stores an item under its code.
func (s *FileStore) Put(item Item) error {
	if err := check(item); err != nil {
		return err
	}
	item.Code = normalise(item.Code)
	s.items[item.Code] = item
	s.dirty = true
	return nil
}

// Delete forgets an item.
func (s *FileStore) Delete(code string) error {
	code = normalise(code)
	if _, ok := s.items[code]; !ok {
		return fmt.Errorf("no item %q", code)
	}
	delete(s.items, code)
	s.dirty = true
	return nil
}

// All lists the items by code.
func (s *FileStore) All() ([]Item, error) {
	items := make([]Item, 0, len(s.items))
	for _, item := range s.items {
		items = append(items, item)
	}
	sort.Slice(items, func(i, j int) bool { return items[i].Code < items[j].Code })
	return items, nil
}

// Close writes the file if anything changed.
func (s *FileStore) Close() error {
	if !s.dirty {
		return nil
	}
	temp, err := os.CreateTemp(filepath.Dir(s.path), "stock-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if err := s.write(temp); err != nil {
		temp.Close()
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	s.dirty = false
	return os.Rename(temp.Name(), s.path)
}

func (s *FileStore) read(r io.Reader) error {
	scanner := bufio.NewScanner(r)
	for n := 1; scanner.Scan(); n++ {
		line := strings.TrimSpace(scanner.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		item, err := parseItem(line)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		s.items[item.Code] = item
	}
	return scanner.Err()
}

func (s *FileStore) write(w io.Writer) error {
	items, err := s.All()
	if err != nil {
		return err
	}
	for _, item := range items {
		if _, err := fmt.Fprintf(w, "%s;%s;%d\n", item.Code, item.Name, item.Count); err != nil {
			return err
		}
	}
	return nil
}

func parseItem(line string) (Item, error) {
	parts := strings.Split(line, ";")
	if len(parts) != 3 {
		return Item{}, fmt.Errorf("want 3 fields, got %d", len(parts))
	}
	count, err := strconv.Atoi(parts[2])
	if err != nil {
		return Item{}, err
	}
	return Item{Code: normalise(parts[0]), Name: parts[1], Count: count}, nil
}

func check(item Item) error {
	if normalise(item.Code) == "" {
		return fmt.Errorf("item %q has no code", item.Name)
	}
	if item.Count < 0 {
		return fmt.Errorf("item %q: negative count", item.Code)
	}
	return nil
}

func normalise(code string) string {
	return strings.ToUpper(strings.TrimSpace(code))
}
