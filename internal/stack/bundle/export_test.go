package bundle

// For tests in package bundle_test.
var (
	JoinURL  = joinURL
	FolderOf = folderOf
)
