use tantivy::{DocAddress, Score};

/// Keeps the best observations.
pub struct BestHits {
    most: usize,
    hits: Vec<(Score, DocAddress)>,
    threshold: Score,
}

impl BestHits {
    pub fn new(most: usize) -> BestHits {
        BestHits {
            most,
            hits: Vec::with_capacity(most * 2),
            threshold: Score::MIN,
        }
    }

    /// Gives what the next one must score above.
    pub fn offer(&mut self, at: DocAddress, score: Score) -> Score {
        if score > self.threshold {
            self.hits.push((score, at));
            if self.hits.len() == self.most * 2 {
                self.thin_out();
            }
        }
        self.threshold
    }

    /// The best first.
    pub fn take(mut self) -> Vec<DocAddress> {
        if self.hits.len() > self.most {
            self.thin_out();
        }
        self.hits.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        self.hits.into_iter().map(|(_, at)| at).collect()
    }

    fn thin_out(&mut self) {
        self.hits
            .select_nth_unstable_by(self.most - 1, |a, b| b.0.total_cmp(&a.0));
        self.hits.truncate(self.most);
        self.threshold = self.hits[self.most - 1].0;
    }
}
