use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, TextFieldIndexing, TextOptions};
use tantivy::{Index, Term};

/// Stemmed words with frequencies; without positions, which nothing here asks for.
pub fn stemmed() -> TextOptions {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("en_stem")
        .set_index_option(IndexRecordOption::WithFreqs);
    TextOptions::default().set_indexing_options(indexing)
}

/// Any of the words, the sum of their BM25.
pub fn any_of(index: &Index, field: Field, words: &[String]) -> tantivy::Result<Box<dyn Query>> {
    let mut analyzer = index.tokenizer_for_field(field)?;
    let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    for word in words {
        analyzer.token_stream(word).process(&mut |token| {
            let term = Term::from_field_text(field, &token.text);
            clauses.push((
                Occur::Should,
                Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)),
            ));
        });
    }
    Ok(Box::new(BooleanQuery::new(clauses)))
}
