//! `batch`: order, bad lines, and use as a co-process.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{DOUBTFUL, Folder, ORIGINAL, RESULT, SNIPPET};

/// How long an answer may take before it is held to be missing; far more than a busy machine needs.
const PATIENCE: Duration = Duration::from_secs(30);

fn line(id: &str, snippet: &str) -> String {
    json!({"id": id, "path": "a.rs", "original": ORIGINAL, "snippet": snippet}).to_string() + "\n"
}

#[track_caller]
fn answers(arguments: &[&str], input: &str) -> Vec<Value> {
    let run = Folder::new().run_with(arguments, input).ends(0);
    assert_eq!(run.err, "");
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn answers_come_in_the_order_of_the_lines() {
    for jobs in ["1", "4"] {
        let mut input = String::new();
        for n in 0..100 {
            // Large and small take turns, so that answers are ready out of order.
            let original = if n % 5 == 0 { ORIGINAL.repeat(30) } else { ORIGINAL.to_owned() };
            let edit = json!({"id": n.to_string(), "path": "a.rs", "original": original, "snippet": SNIPPET});
            writeln!(input, "{edit}").unwrap();
        }
        let ids: Vec<Value> =
            answers(&["batch", "--jobs", jobs], &input).into_iter().map(|a| a["id"].clone()).collect();
        assert_eq!(ids, (0..100).map(|n| json!(n.to_string())).collect::<Vec<_>>());
    }
}

#[test]
fn each_line_gets_its_own_answer() {
    let input = [line("good", SNIPPET), line("doubtful", DOUBTFUL), line("empty", "")].concat();
    let answers = answers(&["batch"], &input);
    let status: Vec<_> = answers.iter().map(|answer| answer["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["trusted", "needs_verify", "refused"]);
    assert_eq!(answers[0]["result"], RESULT);
    assert_eq!(answers[2]["error"]["code"], "empty_snippet");
    for answer in &answers {
        let keys: Vec<_> = answer.as_object().unwrap().keys().collect();
        assert_eq!(
            keys,
            [
                "already_applied",
                "elapsed_us",
                "error",
                "id",
                "reasons",
                "replacements",
                "reproduce",
                "result",
                "shape",
                "status",
                "syntax",
                "v",
                "wrapping"
            ]
        );
    }
}

#[test]
fn a_bad_line_costs_only_itself() {
    let bad = [
        "no json\n",
        "{\"id\": \"half\", \"path\": \"a.rs\"}\n",
        "\n   \n",
        "{\"id\": \"kept\", \"original\": \"cut o\n",
        "{\"id\": 3}\n",
        "[]\n",
        "{\"id\": \"\\ud800\", \"path\": \"\"}\n",
    ]
    .concat();
    let answers = answers(&["batch"], &(line("first", SNIPPET) + &bad + line("last", SNIPPET).trim_end()));
    let ids: Vec<_> = answers.iter().map(|answer| answer["id"].as_str()).collect();
    assert_eq!(ids, [Some("first"), None, Some("half"), Some("kept"), None, None, None, Some("last")]);
    for answer in &answers[1..7] {
        assert_eq!((&answer["status"], &answer["error"]["code"]), (&json!("refused"), &json!("bad_request")));
    }
    assert_eq!(answers[7]["result"], RESULT);
}

#[test]
fn a_line_that_is_not_utf8_is_bad() {
    let mut input = line("a", SNIPPET).into_bytes();
    input.extend(b"{\"id\": \"b\", \"path\": \"\xff\"}\n");
    let run = Folder::new().run_with(&["batch"], input).ends(0);
    assert!(run.out.lines().nth(1).unwrap().contains("bad_request"), "{}", run.out);
}

#[test]
fn optional_fields_are_heeded() {
    let edit = json!({"path": "a", "original": ORIGINAL, "snippet": SNIPPET, "language": "rust", "description": null,
                      "add_missing_edges": true, "budget_ms": 2000, "unknown": 1});
    let wrong = json!({"id": "w", "path": "a", "original": ORIGINAL, "snippet": SNIPPET, "language": "cobol"});
    let answers = answers(&["batch"], &format!("{edit}\n{wrong}\n"));
    assert_eq!((&answers[0]["id"], &answers[0]["syntax"]["status"]), (&Value::Null, &json!("valid")));
    assert_eq!((&answers[1]["id"], &answers[1]["error"]["code"]), (&json!("w"), &json!("unknown_language")));
}

#[test]
fn an_answer_comes_before_the_next_line_is_sent() {
    let mut child = Folder::new().command(&["batch", "--jobs", "2"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (sender, answers) = mpsc::channel();
    thread::spawn(move || output.lines().try_for_each(|line| sender.send(line.unwrap())));
    for n in 0..5 {
        input.write_all(line(&n.to_string(), SNIPPET).as_bytes()).unwrap();
        input.flush().unwrap();
        let answer = answers.recv_timeout(PATIENCE).expect("the answer does not wait for the next line");
        assert!(answer.contains(&format!("\"id\":\"{n}\"")), "{answer}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_closed_output_ends_it_while_input_is_open() {
    let mut child = Folder::new().command(&["batch"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    drop(child.stdout.take());
    input.write_all(line("a", SNIPPET).as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(input);
}

#[test]
fn no_line_is_no_answer() {
    assert!(answers(&["batch"], "").is_empty());
    assert!(answers(&["batch"], "\n\n").is_empty());
}
