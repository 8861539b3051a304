use std::path::Path;

use tantivy::directory::MmapDirectory;
use tantivy::indexer::NoMergePolicy;
use tantivy::schema::Schema;
use tantivy::{Index, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, TantivyDocument};

const THREADS: usize = 2;
const MEMORY_BYTES: usize = 512 << 20;

/// An index on disk while it is filled; it ends as one segment.
pub struct Folder {
    pub index: Index,
    writer: IndexWriter,
}

impl Folder {
    pub fn create(path: &Path, schema: Schema, settings: IndexSettings) -> tantivy::Result<Folder> {
        std::fs::create_dir_all(path)?;
        let index = Index::create(MmapDirectory::open(path)?, schema, settings)?;
        let writer = index.writer_with_num_threads(THREADS, MEMORY_BYTES)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(Folder { index, writer })
    }

    pub fn add(&self, document: TantivyDocument) -> tantivy::Result<()> {
        self.writer.add_document(document)?;
        Ok(())
    }

    pub fn finish(mut self) -> tantivy::Result<(Index, IndexReader)> {
        self.writer.commit()?;
        let segments = self.index.searchable_segment_ids()?;
        if segments.len() > 1 {
            self.writer.merge(&segments).wait()?;
            self.writer.garbage_collect_files().wait()?;
        }
        self.writer.wait_merging_threads()?;
        let reader = self
            .index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        Ok((self.index, reader))
    }
}
