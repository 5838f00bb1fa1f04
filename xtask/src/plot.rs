//! Draws lines against two axes of powers of ten, as SVG.

use std::fmt::Write as _;

use crate::bench::duration;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 60.0;

/// Least distance between two labels at the right edge.
const LINE_HEIGHT: f64 = 13.0;

/// A line with its name.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) colour: &'static str,
    /// What stands below, and nanoseconds.
    pub(crate) points: Vec<(f64, f64)>,
}

/// Draws time against what is below.
pub(crate) fn plot(series: &[Series], below: &str) -> String {
    let points =
        |one: &Series| -> Vec<(f64, f64)> { one.points.iter().map(|&(a, b)| (a.log10(), b.log10())).collect() };
    let all: Vec<(f64, f64)> = series.iter().flat_map(points).collect();
    let bounds = |pick: fn(&(f64, f64)) -> f64| {
        let values = || all.iter().map(pick);
        (values().fold(f64::MAX, f64::min).floor(), values().fold(f64::MIN, f64::max).ceil())
    };
    let ((left, right), (low, high)) = (bounds(|point| point.0), bounds(|point| point.1));
    let x = |value: f64| MARGIN + (value - left) / (right - left).max(1.0) * (WIDTH - 2.5 * MARGIN);
    let y = |value: f64| HEIGHT - MARGIN - (value - low) / (high - low).max(1.0) * (HEIGHT - 1.5 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let line = |svg: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64)| {
        let _ = writeln!(svg, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#ddd\"/>");
    };
    let label = |svg: &mut String, (x, y): (f64, f64), anchor: &str, colour: &str, text: &str| {
        let _ =
            writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>");
    };
    for power in (left as i32)..=(right as i32) {
        let at = x(f64::from(power));
        line(&mut svg, (at, y(low)), (at, y(high)));
        label(&mut svg, (at, y(low) + 18.0), "middle", "#333", &format!("{}", 10_u64.pow(power.unsigned_abs())));
    }
    for power in (low as i32)..=(high as i32) {
        let at = y(f64::from(power));
        line(&mut svg, (x(left), at), (x(right), at));
        label(&mut svg, (x(left) - 6.0, at + 4.0), "end", "#333", &duration(10_f64.powi(power)));
    }
    let mut names: Vec<(f64, f64, &Series)> = Vec::new();
    for one in series {
        let points = points(one);
        let Some(&last) = points.last() else { continue };
        let path: Vec<String> = points.iter().map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
        let colour = one.colour;
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            path.join(" ")
        );
        names.push((x(last.0), y(last.1), one));
    }
    // From the top down, none over another.
    names.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut free = f64::MIN;
    for (x, y, one) in names {
        free = y.max(free);
        label(&mut svg, (x + 6.0, free + 4.0), "start", one.colour, &one.name);
        free += LINE_HEIGHT;
    }
    label(&mut svg, (WIDTH / 2.0, HEIGHT - 14.0), "middle", "#333", below);
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_a_line_and_no_name_lies_on_another() {
        let series =
            |name: &str, points: &[(f64, f64)]| Series { name: name.into(), colour: "#000", points: points.into() };
        let all = [
            series("one", &[(1e3, 1e4), (1e4, 1e5)]),
            series("two", &[(1e3, 1e4), (1e4, 1.01e5)]),
            series("none", &[]),
        ];
        let svg = plot(&all, "size");
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.ends_with("</svg>\n"));
        let heights: Vec<&str> = svg.lines().filter(|line| line.contains("\"start\"")).collect();
        assert_eq!(heights.len(), 2);
        assert_ne!(heights[0].split("y=").nth(1), heights[1].split("y=").nth(1));
    }
}
