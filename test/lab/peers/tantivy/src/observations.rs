use std::ops::Bound;
use std::path::Path;

use tantivy::index::{IndexSortByField, Order};
use tantivy::query::{BooleanQuery, ConstScoreQuery, EnableScoring, Occur, Query, RangeQuery, TermQuery};
use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, Schema};
use tantivy::{
    DocAddress, DocSet, Index, IndexReader, IndexSettings, Score, Searcher, TERMINATED, TantivyDocument, Term,
};

use crate::folder::Folder;
use crate::messages::{Filters, Observation};
use crate::segment_columns::SegmentColumns;
use crate::words::{any_of, stemmed};

#[derive(Clone, Copy)]
struct Fields {
    id: Field,
    company: Field,
    kind: Field,
    country: Field,
    occurred: Field,
    text: Field,
}

pub struct ObservationWriter {
    folder: Folder,
    fields: Fields,
}

/// Observations, the newest first, so that those of a window lie beside each other.
pub struct Observations {
    index: Index,
    searcher: Searcher,
    fields: Fields,
    columns: Vec<SegmentColumns>,
    pub highest_company: u64,
}

impl ObservationWriter {
    pub fn create(path: &Path) -> tantivy::Result<ObservationWriter> {
        let mut schema = Schema::builder();
        let fields = Fields {
            id: schema.add_u64_field("id", FAST),
            company: schema.add_u64_field("company", INDEXED | FAST),
            kind: schema.add_u64_field("kind", INDEXED | FAST),
            country: schema.add_u64_field("country", INDEXED | FAST),
            occurred: schema.add_i64_field("occurred", FAST),
            text: schema.add_text_field("text", stemmed()),
        };
        let settings = IndexSettings {
            sort_by_field: Some(IndexSortByField {
                field: "occurred".to_string(),
                order: Order::Desc,
            }),
            ..IndexSettings::default()
        };
        Ok(ObservationWriter {
            folder: Folder::create(path, schema.build(), settings)?,
            fields,
        })
    }

    pub fn add(&self, observation: Observation) -> tantivy::Result<()> {
        let mut document = TantivyDocument::new();
        document.add_u64(self.fields.id, observation.id);
        document.add_u64(self.fields.company, observation.company);
        document.add_u64(self.fields.kind, observation.kind);
        document.add_u64(self.fields.country, observation.country);
        document.add_i64(self.fields.occurred, observation.occurred);
        document.add_text(self.fields.text, observation.text);
        self.folder.add(document)
    }

    pub fn finish(self) -> tantivy::Result<Observations> {
        let (index, reader): (Index, IndexReader) = self.folder.finish()?;
        let searcher = reader.searcher();
        let columns = searcher
            .segment_readers()
            .iter()
            .map(SegmentColumns::open)
            .collect::<tantivy::Result<Vec<_>>>()?;
        let highest_company = columns
            .iter()
            .map(|segment| segment.companies.max_value())
            .max()
            .unwrap_or(0);
        Ok(Observations {
            index,
            searcher,
            fields: self.fields,
            columns,
            highest_company,
        })
    }
}

impl Observations {
    pub fn count(&self) -> u64 {
        self.searcher.num_docs()
    }

    pub fn segments(&self) -> usize {
        self.columns.len()
    }

    pub fn id_of(&self, at: DocAddress) -> u64 {
        self.columns[at.segment_ord as usize].ids.get_val(at.doc_id)
    }

    pub fn company_of(&self, at: DocAddress) -> u64 {
        self.columns[at.segment_ord as usize].companies.get_val(at.doc_id)
    }

    /// Visits observations that have any of the words, and may leave out those that score no more than what the last visit returned.
    pub fn visit(
        &self,
        words: &[String],
        filters: &Filters,
        visit: &mut dyn FnMut(DocAddress, Score) -> Score,
    ) -> tantivy::Result<()> {
        let asked = self.filtered(any_of(&self.index, self.fields.text, words)?, filters);
        let weight = asked.weight(EnableScoring::enabled_from_searcher(&self.searcher))?;
        let mut threshold = Score::MIN;
        for (ord, segment) in self.searcher.segment_readers().iter().enumerate() {
            weight.for_each_pruning(threshold, segment, &mut |doc, score| {
                threshold = visit(DocAddress::new(ord as u32, doc), score);
                threshold
            })?;
        }
        Ok(())
    }

    /// Observations of a company that the filters let through.
    pub fn of_company(
        &self,
        company: u64,
        filters: &Filters,
        visit: &mut dyn FnMut(DocAddress),
    ) -> tantivy::Result<()> {
        let term = Term::from_field_u64(self.fields.company, company);
        for (ord, (segment, columns)) in self.searcher.segment_readers().iter().zip(&self.columns).enumerate() {
            let inverted = segment.inverted_index(self.fields.company)?;
            let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::Basic)? else {
                continue;
            };
            let mut doc = postings.doc();
            while doc != TERMINATED {
                if columns.admits(filters, doc) {
                    visit(DocAddress::new(ord as u32, doc));
                }
                doc = postings.advance();
            }
        }
        Ok(())
    }

    /// Without a filter the union stays alone, since only so are blocks of it skipped.
    fn filtered(&self, text: Box<dyn Query>, filters: &Filters) -> Box<dyn Query> {
        let equal = |field, value: Option<u64>| {
            value.map(|value| {
                let term = Term::from_field_u64(field, value);
                Box::new(TermQuery::new(term, IndexRecordOption::Basic)) as Box<dyn Query>
            })
        };
        let since = filters.since.map(|since| {
            let term = Term::from_field_i64(self.fields.occurred, since);
            Box::new(RangeQuery::new(Bound::Included(term), Bound::Unbounded)) as Box<dyn Query>
        });
        let conditions = [
            equal(self.fields.kind, filters.kind),
            equal(self.fields.country, filters.country),
            since,
        ];
        let conditions: Vec<_> = conditions.into_iter().flatten().collect();
        if conditions.is_empty() {
            return text;
        }
        let unscored = conditions.into_iter().map(|query| {
            let query: Box<dyn Query> = Box::new(ConstScoreQuery::new(query, 0.0));
            (Occur::Must, query)
        });
        Box::new(BooleanQuery::new(
            std::iter::once((Occur::Must, text)).chain(unscored).collect(),
        ))
    }
}
