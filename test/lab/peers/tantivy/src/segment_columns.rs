use std::sync::Arc;

use tantivy::columnar::ColumnValues;
use tantivy::{DocId, SegmentReader};

use crate::messages::Filters;

/// What the fast fields of a segment say of its observations.
pub struct SegmentColumns {
    pub ids: Arc<dyn ColumnValues<u64>>,
    pub companies: Arc<dyn ColumnValues<u64>>,
    kinds: Arc<dyn ColumnValues<u64>>,
    countries: Arc<dyn ColumnValues<u64>>,
    occurred: Arc<dyn ColumnValues<i64>>,
}

impl SegmentColumns {
    pub fn open(segment: &SegmentReader) -> tantivy::Result<SegmentColumns> {
        let fields = segment.fast_fields();
        Ok(SegmentColumns {
            ids: fields.column_first_or_default("id")?,
            companies: fields.column_first_or_default("company")?,
            kinds: fields.column_first_or_default("kind")?,
            countries: fields.column_first_or_default("country")?,
            occurred: fields.column_first_or_default("occurred")?,
        })
    }

    pub fn admits(&self, filters: &Filters, doc: DocId) -> bool {
        filters.kind.is_none_or(|kind| self.kinds.get_val(doc) == kind)
            && filters
                .country
                .is_none_or(|country| self.countries.get_val(doc) == country)
            && filters.since.is_none_or(|since| self.occurred.get_val(doc) >= since)
    }
}
