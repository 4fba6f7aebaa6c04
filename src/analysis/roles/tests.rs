use super::*;
use wasm_bindgen_test::wasm_bindgen_test;

/// Ids 0 and 1 are special; of the others the larger are the rarer.
fn lexicon() -> Lexicon {
    let unigrams = Some(vec![9.0, 9.0, 50.0, 40.0, 30.0, 20.0, 10.0]);
    Lexicon { special: [0, 1].into(), unigrams }
}

/// All keys, or those up to the query.
fn visible(sight: Directionality, n_queries: usize, n_keys: usize) -> Vec<bool> {
    let cells = (0..n_queries).flat_map(|query| (0..n_keys).map(move |key| (query, key)));
    cells.map(|(query, key)| sight != Directionality::Causal || key <= query).collect()
}

/// The tally of one head, given row by row.
fn tally(sight: Directionality, queries: &[u32], keys: &[u32], rows: &[&[f32]]) -> Tally {
    let mut tally = Tally::default();
    let lexicon = lexicon();
    let pattern = Pattern {
        weights: &rows.concat(),
        visible: &visible(sight, queries.len(), keys.len()),
        n_keys: keys.len(),
    };
    tally.add(&pattern, &Text::new(sight, queries, keys, &lexicon));
    tally
}

/// The tally of a head that looks within a text at one key for each query.
fn looking(sight: Directionality, ids: &[u32], at: &[usize]) -> Tally {
    let row = |key: &usize| (0..ids.len()).map(|k| f32::from(u8::from(k == *key))).collect();
    let rows: Vec<Vec<f32>> = at.iter().map(row).collect();
    tally(sight, ids, ids, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

#[track_caller]
fn assert_score(tally: &Tally, role: Role, expected: Option<f64>) {
    let score = tally.score(role);
    let close = match (score, expected) {
        (Some(score), Some(expected)) => (score - expected).abs() < 1e-7,
        (score, expected) => score == expected,
    };
    assert!(close, "{}: {score:?} instead of {expected:?}", role.name());
}

#[wasm_bindgen_test(unsupported = test)]
fn a_token_right_behind_its_like_has_no_follower_yet() {
    // What followed the first is the query itself.
    let pair = looking(Directionality::Causal, &[2, 2], &[0, 1]);
    assert_score(&pair, Role::Induction, None);
    assert_score(&pair, Role::Duplicate, Some(0.0));
    // The third has one follower, the second.
    assert_score(
        &looking(Directionality::Causal, &[2, 2, 2], &[0, 0, 1]),
        Role::Induction,
        Some(1.0),
    );
}

#[wasm_bindgen_test(unsupported = test)]
fn the_rarest_is_looked_for_among_what_is_seen() {
    // Back: of [2], [2, 5], [2, 5, 6], [2, 5, 6, 1] the rarest are none, 5, 6, 6.
    let ids = [2, 5, 6, 1];
    assert_score(&looking(Directionality::Causal, &ids, &[0, 1, 2, 2]), Role::Rare, Some(1.0));
    assert_score(
        &looking(Directionality::Causal, &ids, &[0, 0, 2, 3]),
        Role::Rare,
        Some(1.0 / 3.0),
    );
    assert_score(
        &looking(Directionality::Bidirectional, &ids, &[2, 1, 2, 2]),
        Role::Rare,
        Some(0.75),
    );
    // Any of two equally rare ones will do.
    assert_score(
        &looking(Directionality::Bidirectional, &[6, 2, 6], &[2, 0, 2]),
        Role::Rare,
        Some(1.0),
    );
}

#[wasm_bindgen_test(unsupported = test)]
fn positional_is_the_best_offset_that_half_the_queries_have() {
    let ids = [2, 3, 4, 5];
    assert_score(
        &looking(Directionality::Causal, &ids, &[0, 0, 1, 2]),
        Role::Positional,
        Some(1.0),
    );
    // Three back is always hit, but one query of four has it; the others are at 0 and −1.
    assert_score(
        &looking(Directionality::Causal, &ids, &[0, 0, 2, 0]),
        Role::Positional,
        Some(0.5),
    );
    assert_score(
        &looking(Directionality::Bidirectional, &ids, &[2, 3, 0, 0]),
        Role::Positional,
        Some(1.0),
    );
}

#[wasm_bindgen_test(unsupported = test)]
fn a_row_of_one_key_is_neither_broad_nor_narrow() {
    let rows: [&[f32]; 2] = [&[1.0, 0.0], &[0.5, 0.5]];
    assert_score(&tally(Directionality::Causal, &[2, 3], &[2, 3], &rows), Role::Broad, Some(1.0));
    assert_score(&tally(Directionality::Causal, &[2], &[2], &[&[1.0]]), Role::Broad, None);
}

#[wasm_bindgen_test(unsupported = test)]
fn across_two_texts_only_what_makes_sense_is_scored() {
    let rows: [&[f32]; 2] = [&[0.5, 0.25, 0.25], &[0.0, 0.25, 0.75]];
    let found = tally(Directionality::Cross, &[0, 2], &[2, 6, 1], &rows);
    for role in [Role::Previous, Role::Next, Role::Itself, Role::Duplicate, Role::Induction] {
        assert_score(&found, role, None);
    }
    assert_score(&found, Role::First, Some(0.25));
    assert_score(&found, Role::Separator, Some(0.5));
    assert_score(&found, Role::Rare, Some(0.0));
    // The first looks at offset 0, the second at +1.
    assert_score(&found, Role::Positional, Some(0.5));
}

#[wasm_bindgen_test(unsupported = test)]
fn every_role_stands_at_its_own_place() {
    for (place, role) in Role::ALL.into_iter().enumerate() {
        assert_eq!(role as usize, place);
        assert!((0.5..1.0).contains(&role.threshold()));
    }
}
