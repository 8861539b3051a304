use std::path::Path;
use std::sync::Arc;

use tantivy::collector::TopDocs;
use tantivy::columnar::ColumnValues;
use tantivy::schema::{FAST, Field, Schema};
use tantivy::{Index, IndexReader, IndexSettings, Searcher, TantivyDocument};

use crate::folder::Folder;
use crate::messages::Company;
use crate::words::{any_of, stemmed};

/// What a profile counts beside the text of an observation.
const CONTEXT_WEIGHT: f32 = 0.75;
/// Companies that a profile makes candidates.
const DESCRIBED_COMPANIES: usize = 1_000;

pub struct CompanyWriter {
    folder: Folder,
    id: Field,
    profile: Field,
}

/// Profiles of companies.
pub struct Companies {
    index: Index,
    reader: IndexReader,
    profile: Field,
    pub highest_id: u64,
}

impl CompanyWriter {
    pub fn create(path: &Path) -> tantivy::Result<CompanyWriter> {
        let mut schema = Schema::builder();
        let id = schema.add_u64_field("id", FAST);
        let profile = schema.add_text_field("profile", stemmed());
        let folder = Folder::create(path, schema.build(), IndexSettings::default())?;
        Ok(CompanyWriter { folder, id, profile })
    }

    pub fn add(&self, company: Company) -> tantivy::Result<()> {
        let mut document = TantivyDocument::new();
        document.add_u64(self.id, company.id);
        document.add_text(self.profile, company.profile);
        self.folder.add(document)
    }

    pub fn finish(self) -> tantivy::Result<Companies> {
        let (index, reader) = self.folder.finish()?;
        let ids = ids_of(&reader.searcher())?;
        let highest_id = ids.iter().map(|ids| ids.max_value()).max().unwrap_or(0);
        Ok(Companies {
            index,
            reader,
            profile: self.profile,
            highest_id,
        })
    }
}

impl Companies {
    pub fn count(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// Ids of the companies that fit best with what each gives to its observations, the best first.
    pub fn described(&self, words: &[String]) -> tantivy::Result<Vec<(u64, f32)>> {
        let searcher = self.reader.searcher();
        let query = any_of(&self.index, self.profile, words)?;
        let best = searcher.search(&*query, &TopDocs::with_limit(DESCRIBED_COMPANIES).order_by_score())?;
        let ids = ids_of(&searcher)?;
        Ok(best
            .into_iter()
            .map(|(score, at)| (ids[at.segment_ord as usize].get_val(at.doc_id), score * CONTEXT_WEIGHT))
            .collect())
    }
}

fn ids_of(searcher: &Searcher) -> tantivy::Result<Vec<Arc<dyn ColumnValues<u64>>>> {
    searcher
        .segment_readers()
        .iter()
        .map(|segment| segment.fast_fields().column_first_or_default("id"))
        .collect()
}
